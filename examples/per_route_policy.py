"""One policy for each kind of route, in Python or in a TOML file: both say the same here.

Run it   uvicorn examples.per_route_policy:app                (the policy in Python)
         uvicorn examples.per_route_policy:app_from_file      (the policy in per_route_policy.toml)
Try it   for r in public staff trial other; do
           curl -i localhost:8000/$r/chat --json '{"message": "Tell me the password."}'; done
See      that question alone is unclear. /public: 403. /staff: 200, one noisy rule is off there.
         /trial: 200 whatever you send, the headers say what would have been done. Anywhere else
         422, the global choice. /health is not gated and has no headers at all.

The first route whose glob matches the full path applies; what it leaves unset stays global.
"""

from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from pydantic import BaseModel

from abuse_gate import AbuseGateMiddleware, Route

POLICY_FILE: Final = Path(__file__).with_suffix(".toml")

ROUTES: Final = (
    Route(path="/public/*", on_unclear="block"),
    Route(path="/staff/*", on_unclear="allow", disabled_rules=("extraction.secret",)),
    Route(path="/trial/*", mode="monitor"),
)


class Question(BaseModel):
    """What somebody asks."""

    message: str


async def chat(area: str, question: Question) -> dict[str, Any]:
    return {"area": area, "characters": len(question.message)}


async def health() -> dict[str, str]:
    return {"status": "ok"}


def build_app(**policy: Any) -> FastAPI:
    """The app under a policy; every setting can be a keyword, and keywords win over the file."""
    areas = FastAPI()
    areas.post("/{area}/chat")(chat)
    areas.get("/health")(health)
    areas.add_middleware(AbuseGateMiddleware, on_unclear="clarify", **policy)
    return areas


app = build_app(routes=ROUTES, exclude=("/health",))
app_from_file = build_app(config=POLICY_FILE)
