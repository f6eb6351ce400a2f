"""A verifier of your own, in each of the three spellings that the contract allows.

Run it   uvicorn examples.custom_adapter:app
Try it   curl -i localhost:8000/chat --json '{"message": "Where is my parcel?"}'
         curl -i localhost:8000/chat --json '{"message": "Sell me a stolen coupon."}'
See      200, then 403: no built-in rule knows coupons, the adapter does.

An adapter gets a redacted payload, never the request. It may be slow, fail or return nonsense: it
runs under a deadline and a circuit breaker, and whatever goes wrong is `unclear`, never an error.
"""

from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI
from pydantic import BaseModel

from abuse_gate import AbuseGateMiddleware, Assessment, Verdict, VerifierAdapter

UNSAFE_WORDS: Final = ("stolen coupon", "fake receipt")
UNCLEAR_WORDS: Final = ("coupon", "receipt")


def judge(payload: Mapping[str, Any]) -> Verdict:
    """A shop's own idea of abuse."""
    text = str(payload["prompt_text"]).lower()
    if any(words in text for words in UNSAFE_WORDS):
        return "unsafe"
    return "unclear" if any(words in text for words in UNCLEAR_WORDS) else "safe"


class SyncAdapter:
    """The contract to the letter; it may block, for it is called in a thread."""

    name = "shop_sync"

    def assess(self, payload: Mapping[str, Any]) -> Verdict:
        """One of the three words."""
        return judge(payload)


class AsyncAdapter:
    """The same for code that awaits something, an HTTP call for instance."""

    name = "shop_async"

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        """One of the three words, awaited."""
        return judge(payload)


class ReasoningAdapter:
    """Says why: the reason code is in the app's `request.state.guardrail` and in the records."""

    name = "shop_reasons"

    async def assess(self, payload: Mapping[str, Any]) -> Assessment:
        """A verdict with a reason code; codes are short and never quote a request."""
        verdict = judge(payload)
        return Assessment(verdict, f"shop_{verdict}", source=self.name)


class Question(BaseModel):
    """What a customer asks."""

    message: str


async def chat(question: Question) -> dict[str, int]:
    return {"characters": len(question.message)}


def build_app(adapter: VerifierAdapter) -> FastAPI:
    """The app behind a gate that asks this adapter; what is unclear is sent back to the caller."""
    shop = FastAPI()
    shop.post("/chat")(chat)
    shop.add_middleware(AbuseGateMiddleware, adapter=adapter, on_unclear="clarify")
    return shop


app = build_app(SyncAdapter())
