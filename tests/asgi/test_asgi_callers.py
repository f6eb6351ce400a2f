"""Who is calling: a keyed digest, and the tenant that the app names."""

import asyncio
import re
import uuid
from typing import Any

import pytest

from abuse_gate.asgi.callers import Callers, sender_of
from abuse_gate.asgi.middleware import AbuseGateMiddleware
from abuse_gate.model.events import Reviewed, Verified
from abuse_gate.testing import RecordingObserver, ScriptedAdapter, converse
from abuse_gate.testing.asgi import chunks, http_scope


async def _subject(*headers: tuple[bytes, bytes], key: bytes = b"k", **more: Any) -> str:
    caller = await Callers(key, None).of(http_scope(headers=headers, **more))
    return caller.subject


async def test_a_subject_is_a_keyed_digest_of_the_credential_or_the_address() -> None:
    by_token = await _subject((b"Authorization", b"Bearer canary"))
    assert re.fullmatch("key-[0-9a-f]{32}", by_token)
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


@pytest.mark.parametrize("odd", [42, uuid.UUID(int=1), b"acme", ["acme"], True])
@pytest.mark.parametrize("later", [False, True])
async def test_a_tenant_that_is_no_text_is_nobody(odd: Any, later: bool) -> None:
    async def answer(_scope: Any) -> Any:
        return odd

    caller = await Callers(b"k", answer if later else lambda _scope: odd).of(http_scope())
    assert (caller.known, caller.tenant) == (False, None)


@pytest.mark.parametrize("client", [None, (None, None), ("", 0), ["1.2.3.4", 1], ("a\udc80", 1), 7])
async def test_no_address_is_too_odd_to_ask(client: Any) -> None:
    caller = await Callers(b"k", None).of(http_scope(client=client))
    assert bool(caller.address) == (client in (["1.2.3.4", 1], ("a\udc80", 1)))


async def test_an_address_is_known_beside_a_credential() -> None:
    headers = [(b"authorization", b"Bearer a")]
    caller = await Callers(b"k", None).of(http_scope(headers=headers, client=("1.2.3.4", 1)))
    assert caller.address == await _subject(client=("1.2.3.4", 9))
    assert caller.subject != caller.address


async def test_a_resolver_that_hangs_is_a_resolver_that_failed() -> None:
    async def hangs(_scope: Any) -> str:
        await asyncio.sleep(60)
        return "acme"

    assert not (await Callers(b"k", hangs, seconds=0.01).of(http_scope())).known


async def test_a_client_that_leaves_during_the_resolver_ends_it() -> None:
    ended = list[str]()

    async def hangs(_scope: Any) -> str:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("cancelled")
        return "acme"

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("the app was called")

    gate = AbuseGateMiddleware(
        app, adapter=ScriptedAdapter("safe"), tenant=hangs, verifier_timeout_ms=60_000
    )
    talk = await converse(gate, http_scope(), chunks(b'{"a": "hello"}'), leaves=True)
    await asyncio.sleep(0)
    assert (talk.sent, ended) == ([], ["cancelled"])


async def test_a_failing_resolver_is_on_record() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    observer = RecordingObserver()

    def odd(_scope: Any) -> Any:
        return 42

    gate = AbuseGateMiddleware(app, adapter=ScriptedAdapter("safe"), tenant=odd, observer=observer)
    await converse(gate, http_scope(), chunks(b'{"a": "hello"}'))
    assert [(event.reason, event.attempts) for event in observer.of(Verified)] == [
        ("misconfigured", 0)
    ]
    assert [event.unverified for event in observer.of(Reviewed)] == ["misconfigured"]


def test_a_sender_is_told_from_others_by_all_that_may_name_it() -> None:
    names = [b"authorization", b"x-api-key", b"cookie", b"x-forwarded-for", b"x-real-ip", b"x-own"]
    plain = http_scope(client=("1.2.3.4", 1))
    senders = [
        plain,
        http_scope(client=("1.2.3.5", 1)),
        http_scope(client=None),
        *(http_scope(client=("1.2.3.4", 1), headers=[(name, b"v")]) for name in names),
        http_scope(client=("1.2.3.4", 1), headers=[(b"Authorization", b"v")]),
    ]
    assert len({sender_of(scope) for scope in senders}) == len(senders)


@pytest.mark.parametrize("name", [b"x-request-id", b"traceparent", b"content-length", b"accept"])
def test_what_changes_from_request_to_request_names_nobody(name: bytes) -> None:
    plain = http_scope(client=("1.2.3.4", 1))
    again = http_scope(client=("1.2.3.4", 2), headers=[(name, b"7")])
    assert sender_of(again) == sender_of(plain)
