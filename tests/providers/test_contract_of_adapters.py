"""The contract kit over the rules, three providers, and an adapter of a third party."""

import json
import os
import ssl
from collections.abc import Mapping
from typing import Any, ClassVar

import httpx2

import abuse_gate_adapters.anthropic
import abuse_gate_adapters.azure
import abuse_gate_adapters.openai
from abuse_gate.contract import (
    AdapterConfig,
    ProviderBadReply,
    ProviderConnection,
    ProviderMisconfigured,
    ProviderTimeout,
    ProviderUnavailable,
    VerifierAdapter,
)
from abuse_gate.model.verdict import Verdict, is_verdict
from abuse_gate.testing import MODES, AdapterContract, ProviderContract
from abuse_gate.testing.faults import GOOD_MODES
from abuse_gate.testing.faults_replies import REPLY_MODES
from abuse_gate.testing.faults_statuses import STATUS_MODES
from abuse_gate.verify.local import LocalRuleAdapter

RULES = LocalRuleAdapter()
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def contract_key(_name: str, /) -> str | None:
    return AdapterContract.key


def config(name: str, endpoint: str, **more: Any) -> AdapterConfig:
    return AdapterConfig(name, 2000, endpoint=endpoint, secret=contract_key, **more)


class TestLocalRules(AdapterContract):
    def make_adapter(self, url: str) -> VerifierAdapter:
        return RULES


class OurContract(ProviderContract):
    short_seconds: ClassVar[float] = 0.2


# An adapter over the same SDK and door as another goes through what is its own: the replies.
# So does the one of a third party, which is here to show that the kit takes one.
OWN = tuple(REPLY_MODES) + tuple(GOOD_MODES) + tuple(STATUS_MODES)
QUICK = tuple(name for name in OWN if "timeout" not in MODES[name].reasons)


class SiblingContract(OurContract):
    modes: ClassVar[tuple[str, ...]] = OurContract.modes if os.environ.get("SOAK") else QUICK


class TestOpenAIModeration(OurContract):
    def make_adapter(self, url: str) -> VerifierAdapter:
        return abuse_gate_adapters.openai.build(config("openai", f"{url}/v1"))


class TestOpenAIChat(SiblingContract):
    def make_adapter(self, url: str) -> VerifierAdapter:
        return abuse_gate_adapters.openai.build(config("openai", f"{url}/v1", model="gpt-6-mini"))


class TestOpenAIResponses(SiblingContract):
    def make_adapter(self, url: str) -> VerifierAdapter:
        return abuse_gate_adapters.openai.build(config("openai", f"{url}/v1", model="gpt-6-pro"))


class TestOpenAIDecisions(SiblingContract):
    def make_adapter(self, url: str) -> VerifierAdapter:
        return abuse_gate_adapters.openai.build(config("openai", f"{url}/v1", model="gpt-6-luna"))


class TestAnthropic(OurContract):
    def make_adapter(self, url: str) -> VerifierAdapter:
        return abuse_gate_adapters.anthropic.build(config("anthropic", url))


class TestAzure(SiblingContract):
    def make_adapter(self, url: str) -> VerifierAdapter:
        return abuse_gate_adapters.azure.build(config("azure", url, model="judge"))


class TestDatedAzure(SiblingContract):
    def make_adapter(self, url: str) -> VerifierAdapter:
        return abuse_gate_adapters.azure.build(
            config("azure", url, model="judge", api_version="2026-06-01")
        )


class ThirdPartyAdapter:
    """As somebody else would write it: a page of code over a service of their own."""

    name = "third-party"

    def __init__(self, url: str, key: str) -> None:
        self._url = f"{url}/judge"
        self._headers = {"authorization": f"Bearer {key}", "accept-encoding": "identity"}

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        question = json.dumps({"text": payload.get("prompt_text")}).encode()
        try:
            status, body = await self._post(question)
        except httpx2.TimeoutException:
            raise ProviderTimeout from None
        except httpx2.HTTPError:
            raise ProviderConnection from None
        if status >= 500:
            raise ProviderUnavailable
        if status != 200:
            raise ProviderMisconfigured
        return self._verdict(body)

    async def _post(self, question: bytes) -> tuple[int, bytes]:
        async with (
            httpx2.AsyncClient(trust_env=False, verify=NO_TLS, timeout=5) as client,
            client.stream("POST", self._url, content=question, headers=self._headers) as answer,
        ):
            body = b""
            async for part in answer.aiter_raw():
                body += part
                if len(body) > 10_000:
                    raise ProviderBadReply
            return answer.status_code, body

    def _verdict(self, body: bytes) -> Verdict:
        try:
            answer = json.loads(body.decode(), object_pairs_hook=self._once)
            (row,) = answer["answers"]
            verdict = row["verdict"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ProviderBadReply from None
        if not is_verdict(verdict):
            raise ProviderBadReply
        return verdict

    @staticmethod
    def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError
        return found


class TestThirdParty(SiblingContract):
    exact_reasons = False

    def make_adapter(self, url: str) -> VerifierAdapter:
        return ThirdPartyAdapter(url, self.key)
