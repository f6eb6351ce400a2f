"""TLS and credentials out of the address; a user of the server who may do no more than we need."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from abuse_gate.model.events import StoreFailed
from abuse_gate.model.standing import Offence
from abuse_gate.stores.link import connect
from abuse_gate.stores.redis import RedisStore
from abuse_gate.stores.verdicts import MemoryVerdicts, RedisVerdicts
from abuse_gate.testing import RecordingObserver
from tests.examples.test_strikes_page import PAGE
from tests.stores.opening import LADDER, Opened, advised_user, opened, relayed, strike
from tests.stores.servers import Server

__all__ = ["opened"]

WORD = "canary-password"


def _certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """A certificate of this host, signed by itself, and what a server needs to show it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a store")])
    now = datetime.now(UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(1))
    made = made.not_valid_after(now + timedelta(1)).add_extension(here, critical=False)
    shown, kept = folder / "shown.pem", folder / "kept.pem"
    signed = made.sign(key, hashes.SHA256())
    shown.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    kept.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(shown, kept)
    return shown, context


@pytest.fixture
def secured(server: Server, tmp_path: Path) -> tuple[Server, Path, ssl.SSLContext]:
    """A server with a user as the page advises, and a certificate."""
    server.command(*advised_user(PAGE, WORD))
    return server, *_certificate(tmp_path)


async def test_the_address_says_how_and_as_whom(
    secured: tuple[Server, Path, ssl.SSLContext],
) -> None:
    server, trusted, tls = secured
    async with relayed(server, tls=tls) as port:
        url = f"rediss://gate:{WORD}@127.0.0.1:{port}/0?ssl_ca_certs={trusted}"
        store = RedisStore(lambda: connect(url, 5.0))
        struck = [("s", LADDER, Offence((f"m{number}",)), "i", 0.0) for number in range(3)]
        assert (await store.strike(struck))[-1].mode == "execute_locked"
        await store.note(["t"], "j")
        assert {subject.id for subject in await store.subjects(9)} == {"s", "t"}
        assert await store.find("j") == ["t"]
        assert (await store.impose("s", "normal", 0, "why")).mode == "normal"
        await store.probe()
        await store.aclose()
        observer = RecordingObserver()
        near = MemoryVerdicts(60)
        verdicts = RedisVerdicts(lambda: connect(url, 5.0), near, observer, 60.0, 5.0)
        await verdicts.put(["a"], "safe")
        assert (await verdicts.get(["b"]), observer.events) == ([None], [])
        await verdicts.aclose()


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("rediss://gate:wrong-canary@127.0.0.1:{port}?ssl_ca_certs={trusted}", "Authentication"),
        ("rediss://gate:canary-password@127.0.0.1:{port}", "Connection"),
        ("redis://gate:canary-password@127.0.0.1:{port}", "Connection"),
    ],
)
async def test_a_store_that_lets_nobody_in_is_away_and_no_password_is_said(
    secured: tuple[Server, Path, ssl.SSLContext],
    opened: Opened,
    caplog: pytest.LogCaptureFixture,
    address: str,
    reason: str,
) -> None:
    server, trusted, tls = secured
    async with relayed(server, tls=tls) as port:
        store, seen = opened(address.format(port=port, trusted=trusted))
        assert [standing.strikes for standing in await strike(store, 0, 1)] == [1, 2]
        await store.aclose()
    assert store.away
    assert reason in seen.of(StoreFailed)[0].reason
    assert "canary" not in caplog.text + repr(seen.events)
