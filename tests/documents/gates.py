"""A gate for tests that upload files, and how a file travels to it."""

import base64
import json
from collections.abc import Sequence
from typing import Any

from abuse_gate import Decision, Settings, build_gate
from abuse_gate.gate import Gate
from abuse_gate.model.payload import Payload
from abuse_gate.reading.request import RawRequest
from abuse_gate.settings import RoutePolicy, Routing

BOUNDARY = b"frontier"


def multipart(*files: tuple[str, str, bytes]) -> RawRequest:
    """A form with files: name, media type, bytes."""
    body = b"".join(
        b"--%b\r\nContent-Disposition: form-data; name=file; filename=%b\r\n"
        b"Content-Type: %b\r\n\r\n%b\r\n" % (BOUNDARY, name.encode(), kind.encode(), data)
        for name, kind, data in files
    )
    content_type = b"multipart/form-data; boundary=" + BOUNDARY
    return RawRequest("/", b"", [(b"content-type", content_type)], body + b"--%b--" % BOUNDARY)


def in_json(content: Any) -> RawRequest:
    body = json.dumps({"messages": [{"role": "user", "content": content}]}).encode()
    return RawRequest("/", b"", [(b"content-type", b"application/json")], body)


def data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def gate(**settings: Any) -> Gate:
    return build_gate(Settings(**settings))


def policy_of(made: Gate) -> RoutePolicy:
    return Routing(made.settings).policy("/")


async def review(made: Gate, request: RawRequest) -> Decision:
    return await made.review(request, policy_of(made))


async def payload_of(made: Gate, request: RawRequest) -> Payload:
    policy = policy_of(made)
    return made.payload(await made.inspect(request, policy), policy)


def sources(payload: Payload) -> Sequence[dict[str, Any]]:
    found: list[dict[str, Any]] = payload["debug"]["sources"]
    return found
