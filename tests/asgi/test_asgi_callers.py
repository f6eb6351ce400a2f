"""Who is calling: a keyed digest, and the tenant that the app names."""

from typing import Any

import pytest

from abuse_gate.asgi.callers import Callers
from abuse_gate.asgi.middleware import AbuseGateMiddleware
from abuse_gate.testing import ScriptedAdapter, converse
from abuse_gate.testing.asgi import chunks, http_scope


async def _subject(*headers: tuple[bytes, bytes], key: bytes = b"k", **more: Any) -> str:
    caller = await Callers(key, None).of(http_scope(headers=headers, **more))
    return caller.subject


async def test_a_subject_is_a_keyed_digest_of_the_credential_or_the_address() -> None:
    by_token = await _subject((b"Authorization", b"Bearer canary"))
    assert len(by_token) == 32
    assert "canary" not in by_token
    assert by_token == await _subject((b"authorization", b"Bearer canary"), client=("1.2.3.4", 1))
    assert by_token != await _subject((b"x-api-key", b"other"))
    assert by_token != await _subject((b"authorization", b"Bearer canary"), key=b"other")
    assert await _subject(client=("1.2.3.4", 1)) == await _subject(client=("1.2.3.4", 2))
    assert await _subject(client=("1.2.3.4", 1)) != await _subject(client=("1.2.3.5", 1))
    # A token that spells an address is not that address.
    assert await _subject((b"authorization", b"1.2.3.4")) != await _subject(client=("1.2.3.4", 1))
    assert await _subject(client=None) == ""


async def test_the_tenant_is_what_the_apps_resolver_says() -> None:
    async def later(scope: Any) -> str | None:
        return "acme"

    scope = http_scope(headers=[(b"x-tenant", b"globex")])
    assert (await Callers(b"k", None).of(scope)).tenant is None
    assert (await Callers(b"k", lambda _scope: "acme").of(scope)).tenant == "acme"
    assert (await Callers(b"k", later).of(scope)).tenant == "acme"


async def test_a_failing_resolver_serves_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def broken(scope: Any) -> str | None:
        raise KeyError("canary")

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    adapter = ScriptedAdapter("safe")
    gate = AbuseGateMiddleware(app, adapter=adapter, tenant=broken, on_unclear="block")
    talk = await converse(gate, http_scope(), chunks(b'{"a": "hello"}'))
    assert talk.status == 403
    assert adapter.payloads == []
    assert "KeyError" in caplog.text
    assert "canary" not in caplog.text
