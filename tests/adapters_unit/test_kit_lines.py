"""Connections: one question each, opened ahead where a handshake is worth it, metered always."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import httpcore2
import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from abuse_gate.testing.contract_watch import until
from abuse_gate.verify.kit.clients import LineTransport, tls_place
from abuse_gate.verify.kit.faults import UnreadableReply
from abuse_gate.verify.kit.lines import MAX_LINE_BYTES, MOST_AHEAD, Lines, called_off

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


@pytest.fixture(scope="module")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """How a server with a certificate of its own speaks, and how a client that trusts it does."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    held = folder / "both.pem"
    held.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(held)
    return server, ssl.create_default_context(cafile=str(held))


@dataclass
class Encrypted:
    """A server that answers each question; keeps which connection each of them came by."""

    port: int = 0
    opened: int = 0
    asked: list[int] = field(default_factory=list[int])
    writers: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number, self.opened = self.opened, self.opened + 1
        self.writers.append(writer)
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.asked.append(number)
                writer.write(OK)
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            pass
        finally:
            writer.close()


Serve = Callable[..., AbstractAsyncContextManager[tuple[Encrypted, Lines, httpx2.AsyncClient]]]


@pytest.fixture
def serve(
    contexts: tuple[ssl.SSLContext, ssl.SSLContext],
) -> Serve:
    """A server, the lines to it and a client over them."""

    @asynccontextmanager
    async def start(
        seconds: float = 20.0, *, ahead: bool = True
    ) -> AsyncGenerator[tuple[Encrypted, Lines, httpx2.AsyncClient]]:
        speaks = Encrypted()
        server = await asyncio.start_server(speaks.handle, "127.0.0.1", 0, ssl=contexts[0])
        speaks.port = server.sockets[0].getsockname()[1]
        lines = Lines(("127.0.0.1", speaks.port) if ahead else None, contexts[1], seconds)
        base = f"https://127.0.0.1:{speaks.port}"
        transport = LineTransport(lines, contexts[1])
        client = httpx2.AsyncClient(transport=transport, base_url=base, timeout=5)
        yield speaks, lines, client
        await client.aclose()
        assert lines.ahead == 0
        server.close()
        for writer in speaks.writers:
            writer.close()
        await asyncio.sleep(0.01)

    return start


async def test_a_question_goes_by_a_connection_that_was_opened_before_it(
    serve: Serve,
) -> None:
    async with serve() as (server, lines, client):
        for number in range(6):
            if number:
                await until(lambda: lines.ahead == 1)
                assert server.opened == number + 1, (
                    "the next connection is open before the question"
                )
            assert (await client.get("/")).text == "ok"
    assert server.asked == sorted(set(server.asked)) == list(range(6))


async def test_no_connection_serves_two_questions_however_many_there_are_at_once(
    serve: Serve,
) -> None:
    async with serve() as (server, lines, client):
        for _ in range(3):
            answers = await asyncio.gather(*(client.get("/") for _ in range(20)))
            assert {answer.text for answer in answers} == {"ok"}
            await until(lambda: lines.ahead == MOST_AHEAD)
    assert len(set(server.asked)) == len(server.asked) == 60


async def test_a_connection_on_which_anything_arrived_unasked_is_used_by_nobody(
    serve: Serve,
) -> None:
    async with serve() as (server, lines, client):
        await client.get("/")
        await until(lambda: lines.ahead == 1)
        # Not `ok`: whoever took the connection would hear this in place of an answer.
        server.writers[-1].write(OK.replace(b"ok", b"no"))
        await until(lambda: lines.ahead == 0)
        assert (await client.get("/")).text == "ok"


async def test_a_connection_that_the_other_side_closed_is_used_by_nobody(
    serve: Serve,
) -> None:
    async with serve() as (server, lines, client):
        await client.get("/")
        await until(lambda: lines.ahead == 1)
        server.writers[-1].close()
        await until(lambda: lines.ahead == 0)
        assert (await client.get("/")).text == "ok"


class Noting(httpcore2.AsyncNetworkStream):
    """A connection that knows whether it was closed."""

    closed = False

    async def aclose(self) -> None:
        self.closed = True


async def test_a_connection_whose_watch_has_just_ended_is_closed_and_not_used() -> None:
    stream, ended = Noting(), asyncio.create_task(asyncio.sleep(0))
    await ended
    assert not await called_off(ended, stream)
    assert stream.closed


async def test_a_connection_that_is_being_taken_is_closed_when_the_taker_leaves() -> None:
    stream, watch = Noting(), asyncio.create_task(asyncio.sleep(60))
    await asyncio.sleep(0)
    taking = asyncio.create_task(called_off(watch, stream))
    await asyncio.sleep(0)
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)
    assert taking.cancelled()
    assert stream.closed


async def test_what_was_opened_in_vain_is_closed_after_a_while(
    serve: Serve,
) -> None:
    async with serve(seconds=0.05) as (server, lines, client):
        await client.get("/")
        await until(lambda: server.opened == 2)
        await until(lambda: lines.ahead == 0)
        await asyncio.sleep(0.1)
        assert server.opened == 2, "nothing is opened while nobody asks"


async def test_without_a_place_nothing_is_opened_ahead(serve: Serve) -> None:
    async with serve(ahead=False) as (server, lines, client):
        await client.get("/")
        await asyncio.sleep(0.02)
        assert (server.opened, lines.ahead) == (1, 0)


async def test_a_place_that_cannot_be_reached_is_the_questions_to_report() -> None:
    lines = Lines(("127.0.0.1", 1), ssl.create_default_context())
    async with httpx2.AsyncClient(transport=LineTransport(lines)) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get("https://127.0.0.1:1/")
        await lines.sleep(0)


async def test_one_who_leaves_while_taking_a_connection_leaves_none_open(
    serve: Serve,
) -> None:
    async with serve() as (server, lines, client):
        for ticks in range(12):
            await client.get("/")
            await until(lambda: lines.ahead > 0)
            leaving = asyncio.ensure_future(client.get("/"))
            for _ in range(ticks):
                await asyncio.sleep(0)
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
        assert (await client.get("/")).text == "ok"
        held = server.opened
    await until(lambda: all(writer.is_closing() for writer in server.writers))
    assert held >= 12


@pytest.mark.parametrize(
    "part",
    [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
)
async def test_interim_answers_end_by_size_and_leave_the_loop_free(part: bytes) -> None:
    """A server that never comes to its answer is cut off, and others run in the meantime."""
    sent = 0

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        block = part * 4000
        try:
            while True:
                writer.write(block)
                await writer.drain()
                sent += len(block)
        except ConnectionError:
            writer.close()

    turns = 0

    async def bystander() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    watch = asyncio.ensure_future(bystander())
    async with httpx2.AsyncClient(transport=LineTransport(Lines()), timeout=30) as client:
        with pytest.raises(UnreadableReply):
            await client.get(f"http://127.0.0.1:{port}/")
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)
    server.close()
    # At least one turn for every sip that was read.
    assert turns >= MAX_LINE_BYTES // 4096
    assert sent >= MAX_LINE_BYTES


@pytest.mark.parametrize(
    ("base_url", "place"),
    [
        ("https://api.openai.com/v1", ("api.openai.com", 443)),
        ("https://r.example:8443", ("r.example", 8443)),
        ("http://127.0.0.1:80", None),
        ("", None),
        ("https://", None),
    ],
)
def test_only_encrypted_places_are_opened_ahead(
    base_url: str, place: tuple[str, int] | None
) -> None:
    assert tls_place(base_url) == place
