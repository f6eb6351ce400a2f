"""uvicorn resolves `X-Forwarded-For` before the gate sees it: what that means for addresses."""

from typing import Any

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from abuse_gate.asgi.callers import Callers
from abuse_gate.model.caller import Caller
from abuse_gate.testing import converse
from abuse_gate.testing.asgi import chunks, http_scope

CLIENT = "203.0.113.9"


async def _seen(peer: str, trusted: str, *hops: str) -> Caller:
    """The caller that the gate sees behind uvicorn's own middleware."""
    callers, found = Callers(b"k" * 32, None), list[Caller]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        found.append(await callers.of(scope))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    headers = [(b"x-forwarded-for", ", ".join(hops).encode())] if hops else []
    scope = http_scope("/", headers=headers, client=(peer, 4711))
    served: Any = ProxyHeadersMiddleware(app, trusted) if trusted else app
    await converse(served, scope, chunks(b""))
    return found[0]


@pytest.mark.parametrize(
    ("peer", "trusted", "hops", "counted"),
    [
        # A proxy on the same host, which adds the client to whatever the client has said.
        ("127.0.0.1", "127.0.0.1", (CLIENT,), True),
        ("127.0.0.1", "127.0.0.1", ("198.51.100.1", CLIENT), True),
        # Nobody on the same host speaks for others: then nobody is believed, or counted.
        ("127.0.0.1", "", (CLIENT,), False),
        # A peer elsewhere is not believed; it may be a proxy that nobody has named.
        ("198.51.100.7", "127.0.0.1", (CLIENT,), False),
        # Everybody is believed: whoever is named in front is taken for the client.
        ("198.51.100.7", "*", (CLIENT,), True),
    ],
)
async def test_whose_address_is_counted(
    peer: str, trusted: str, hops: tuple[str, ...], counted: bool
) -> None:
    client = await _seen(CLIENT, "")
    seen = await _seen(peer, trusted, *hops)
    assert (seen.address == client.address and not seen.shared) is counted
    assert seen.shared is not counted
