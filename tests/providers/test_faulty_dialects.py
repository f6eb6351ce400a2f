"""The provider speaks its dialects as the SDKs type them, strictly."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from anthropic import AsyncAnthropic
from blockbuster import BlockBuster
from openai import AsyncAzureOpenAI, AsyncOpenAI
from openai.types import ModerationTextInputParam
from openai.types.decision_create_params import QuestionQuestionParamChoice

from abuse_gate.model.verdict import Verdict
from abuse_gate.testing import FaultyProvider

QUESTION: QuestionQuestionParamChoice = {
    "type": "choice",
    "name": "verdict",
    "instructions": "Is it safe?",
    "choices": [{"value": "safe"}, {"value": "unsafe"}, {"value": "unclear"}],
}


@pytest.fixture
async def provider() -> AsyncIterator[FaultyProvider]:
    async with FaultyProvider() as running:
        yield running


def openai_client(url: str) -> AsyncOpenAI:
    return AsyncOpenAI(
        base_url=url, api_key="k", max_retries=0, timeout=2, _strict_response_validation=True
    )


async def moderated(url: str) -> tuple[object, str]:
    async with openai_client(f"{url}/v1") as client:
        answer = await client.moderations.create(model="omni-moderation-latest", input=["a", "b"])
    assert len(answer.results) == 2
    return answer, "unsafe" if answer.results[0].flagged else "safe"


async def moderated_parts(url: str) -> tuple[object, str]:
    async with openai_client(f"{url}/v1") as client:
        part = ModerationTextInputParam(type="text", text="a")
        answer = await client.moderations.create(input=[part])
    assert len(answer.results) == 1
    return answer, "unsafe" if answer.results[0].flagged else "safe"


async def chatted(url: str) -> tuple[object, str]:
    async with openai_client(f"{url}/v1") as client:
        answer = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hello"}]
        )
    return answer, str(answer.choices[0].message.content)


async def chatted_on_azure(url: str) -> tuple[object, str]:
    async with openai_client(f"{url}/openai/v1/") as client:
        answer = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hello"}]
        )
    assert answer.model_extra
    assert answer.model_extra["prompt_filter_results"]
    return answer, str(answer.choices[0].message.content)


async def chatted_on_dated_azure(url: str) -> tuple[object, str]:
    async with AsyncAzureOpenAI(
        azure_endpoint=url,
        azure_deployment="judge",
        api_version="2026-06-01",
        api_key="k",
        max_retries=0,
        _strict_response_validation=True,
    ) as client:
        answer = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "hello"}]
        )
    return answer, str(answer.choices[0].message.content)


async def decided(url: str) -> tuple[object, str]:
    async with openai_client(f"{url}/v1") as client:
        answer = await client.decisions.create(
            model="gpt-6-luna", input="hello", questions=[QUESTION]
        )
    assert answer.answers[0].name == "verdict"
    return answer, str(getattr(answer.answers[0], "choice", None))


async def responded(url: str) -> tuple[object, str]:
    async with openai_client(f"{url}/v1") as client:
        answer = await client.responses.create(model="m", input="hello")
    assert [item.type for item in answer.output] == ["reasoning", "message"]
    return answer, answer.output_text


async def messaged(url: str) -> tuple[object, str]:
    async with AsyncAnthropic(
        base_url=url, api_key="k", max_retries=0, _strict_response_validation=True
    ) as client:
        answer = await client.messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "hello"}]
        )
    return answer, str(getattr(answer.content[0], "text", None))


SDK_CALLS: tuple[Callable[[str], Awaitable[tuple[object, str]]], ...] = (
    moderated,
    moderated_parts,
    chatted,
    chatted_on_azure,
    chatted_on_dated_azure,
    decided,
    responded,
    messaged,
)


@pytest.mark.parametrize("verdict", ["safe", "unsafe"])
@pytest.mark.parametrize("call", SDK_CALLS)
async def test_right_answers_are_valid_against_the_strict_types_of_the_sdks(
    provider: FaultyProvider,
    no_blocking_calls: BlockBuster,
    call: Callable[[str], Awaitable[tuple[object, str]]],
    verdict: Verdict,
) -> None:
    # A client of theirs reads certificates and the machine's name when it is made.
    no_blocking_calls.deactivate()
    provider.mode = verdict
    answer, heard = await call(provider.url)
    assert not isinstance(answer, str)
    assert verdict in heard
    assert [request.said for request in provider.requests] == [verdict]
