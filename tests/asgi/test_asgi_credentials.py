"""One credential is one subject, however it is spelled; two are two."""

import base64
import hmac

import pytest

from abuse_gate.asgi.callers import Callers, owner_of
from abuse_gate.model.caller import Caller
from abuse_gate.testing.asgi import http_scope


def _signed(payload: bytes) -> str:
    parts = [base64.urlsafe_b64encode(text).rstrip(b"=") for text in (b'{"alg":"HS256"}', payload)]
    signature = base64.urlsafe_b64encode(hmac.digest(b"s", b".".join(parts), "sha256"))
    return b".".join((*parts, signature.rstrip(b"="))).decode()


def _octets(token: str) -> bytes:
    """The signature as lenient decoders read it: PyJWT did until it was called a weakness."""
    found = token.rpartition(".")[2].encode("latin-1")
    return base64.urlsafe_b64decode(found + b"=" * (-len(found) % 4))


JWT = _signed(b'{"sub":"alice"}')
OTHER = _signed(b'{"sub":"bob"}')
BASIC = base64.b64encode(b"alice:sesame-open").decode()
OPAQUE = "sk-0123456789abcdef"


async def caller(value: str, tenant: str | None = None) -> Caller:
    headers = [(b"authorization", value.encode("latin-1"))]
    return await Callers(b"k", lambda _: tenant).of(http_scope(headers=headers))


def _last(text: str, spare: int) -> str:
    """The same bits in another last letter: base64 of 32 octets leaves two over."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + letters[letters.index(text[-1]) ^ spare]


JWTS = [
    JWT,
    *(_last(JWT, spare) for spare in (1, 2, 3)),
    JWT[:-3] + "!!!!" + JWT[-3:],
    JWT[:-3] + " " * 4 + JWT[-3:],
    JWT[:-3] + "\xe9" * 4 + JWT[-3:],
    JWT + "=junk",
    JWT + "=",
    JWT.rpartition(".")[0] + "." + JWT.rpartition(".")[2].replace("-", "+").replace("_", "/"),
]


@pytest.mark.parametrize("spelled", JWTS, ids=range(len(JWTS)))
async def test_a_jwt_is_one_subject_in_every_spelling_that_verifies(spelled: str) -> None:
    assert _octets(spelled) == _octets(JWT)
    found = await caller(f"Bearer {spelled}")
    assert (await caller(f"Bearer {JWT}")).subject in found.ids


SAME = [
    (f"Bearer {OPAQUE}", f"Bearer\t{OPAQUE}"),
    (f"Bearer {OPAQUE}", f"bEARER \x0b\x1c\x85\xa0 {OPAQUE}\xa0"),
    (f"Bearer {OPAQUE}", f"Bearer Bearer {OPAQUE}"),
    (f"Bearer {OPAQUE}", f"JWT {OPAQUE}"),
    (f"Bearer {OPAQUE}", f"Anything {OPAQUE}"),
    (f"Bearer {OPAQUE}", f"Bearer {OPAQUE} more"),
    (f"Bearer {OPAQUE}", f"Bearer {OPAQUE} longer-than-a-secret"),
    (f"Bearer {OPAQUE}", f"Bearer more {OPAQUE}"),
    (f"Basic {BASIC}", f"BASIC {BASIC[:5]}!{BASIC[5:]}"),
    (f"Basic {BASIC}", f"Basic\t{BASIC[:5]} {BASIC[5:]}"),
    (f"Basic {BASIC}", f"Basic {BASIC.rstrip('=')}"),
    ("Basic YTpi", "Basic Y!Tpi"),
    # Not the alphabet of addresses: here these two letters are foreign.
    ("Basic YTpi", "Basic Y-T_pi"),
    ("Basic YTo=", "Basic YTp=ignored"),
]
APART = [
    (f"Bearer {JWT}", f"Bearer {OTHER}"),
    (f"Bearer {JWT}", f"Bearer {JWT.rpartition('.')[0]}.{OTHER.rpartition('.')[2]}"),
    ("Bearer acme.user.10", "Bearer acme.user.11"),
    ("Bearer abcd!", "Bearer abcd"),
    ("Bearer Bearer one", "Bearer Bearer two"),
    ("Bearer one v2", "Bearer two v2"),
    ("Basic !", "Basic ?"),
    ('Digest username="a", algorithm=MD5-sess', 'Digest username="b", algorithm=MD5-sess'),
    ("one key", "two key"),
]


@pytest.mark.parametrize(("one", "two"), SAME)
async def test_a_credential_is_one_subject_in_every_spelling(one: str, two: str) -> None:
    assert (await caller(one)).subject in (await caller(two)).ids


@pytest.mark.parametrize(("one", "two"), APART)
async def test_two_credentials_share_no_subject(one: str, two: str) -> None:
    first, second = await caller(one), await caller(two)
    shared = {*first.ids} & {*second.ids}
    assert shared == {first.address}


@pytest.mark.parametrize("empty", ["", " ", "Bearer", "basic ", "Bearer Token", "\xa0"])
async def test_a_scheme_alone_is_no_credential(empty: str) -> None:
    found = await caller(empty)
    assert found.ids == (found.address,)


def test_a_place_in_a_line_is_a_credentials_in_every_spelling() -> None:
    owners = {
        owner_of(http_scope(headers=[(b"authorization", f"Bearer {token}".encode())]))
        for token in (JWT, JWT + "=junk", _last(JWT, 1))
    }
    assert owners == {JWT}


@pytest.mark.parametrize("spelled", ["Acme-Corp", "acme-corp", "ACME_CORP", " acme_corp "])
async def test_a_tenant_is_one_tenant_in_every_spelling(spelled: str) -> None:
    """As its guard, its keys and its ladder are found."""
    value = f"Bearer {OPAQUE}"
    found = await caller(value, spelled)
    assert found.ids == (await caller(value, "acme_corp")).ids
    assert found.tenant == spelled
    others = [await caller(value, name) for name in ("acme", "", None)]
    assert not {*found.ids} & {name for other in others for name in other.ids}
