"""A gated app for campaigns with several worker processes; all settings from the environment."""

import os

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from abuse_gate import AbuseGateMiddleware, guardrail_mode


async def chat(request: Request) -> Response:
    return PlainTextResponse(f"{guardrail_mode(request)} {os.getpid()}")


app = Starlette(routes=[Route("/chat", chat, methods=["GET", "POST"])])
app.add_middleware(AbuseGateMiddleware)
