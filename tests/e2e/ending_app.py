"""An app for a server of its own: one route behind the gate, settings out of the environment."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from abuse_gate import AbuseGateMiddleware


async def _hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


app = Starlette(
    routes=[Route("/", _hello, methods=["POST"])], middleware=[Middleware(AbuseGateMiddleware)]
)
