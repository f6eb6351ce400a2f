"""The bystanders of a test, and the law of a mode."""

import logging

import pytest

from abuse_gate.testing import LoopNoise, everything_logged
from abuse_gate.testing.contract_watch import chain_text, until, within
from abuse_gate.testing.faults_law import BAD, Mode, said


def test_a_mode_allows_what_was_said_and_what_could_not_be() -> None:
    async def nothing(_exchange: object) -> None: ...

    mode = Mode(nothing, BAD, said("unsafe"))
    assert mode.allows("unsafe", "model_unsafe")
    assert mode.allows("unclear", "bad_reply")
    assert not mode.allows("unclear", "timeout")
    assert not mode.allows("safe", "bad_reply")
    assert not Mode(nothing, says=said("safe"), heard=True).allows("unclear", "timeout")


async def test_waiting_in_vain_ends() -> None:
    assert not await within(0.01, lambda: False)
    assert await within(0.01, lambda: True)
    with pytest.raises(AssertionError, match="never came true"):
        await until(lambda: False, patience=0.01)


async def test_noise_is_what_delays_the_loop() -> None:
    async with LoopNoise() as noise:
        mark = noise.mark()
        before = await noise.since(mark)
        mark = noise.mark()
        for _ in range(400_000):
            pass
        assert await noise.since(mark) >= 0
        assert before >= 0
    assert noise.percentile(0.5) <= noise.percentile(1.0)
    assert LoopNoise().percentile(0.99) == 0.0


async def test_noise_that_was_never_watched_ends_quietly() -> None:
    await LoopNoise().__aexit__(None, None, None)


def test_everything_logged_hears_disabled_and_quiet_loggers_and_restores_them() -> None:
    logger = logging.getLogger("careless.quiet")
    logger.setLevel(logging.ERROR)
    logger.disabled = True
    with everything_logged() as heard:
        logger.debug("a whisper")
        try:
            raise ValueError("a cry")
        except ValueError:
            logger.exception("and its echo")
    assert any("a whisper" in line for line in heard.lines)
    assert any("a cry" in line for line in heard.lines)
    assert (logger.level, logger.disabled) == (logging.ERROR, True)


def test_a_chain_tells_all_that_an_exception_holds_on_to() -> None:
    inner = ValueError("inner text")
    outer = RuntimeError("outer text")
    outer.__context__ = inner
    inner.__context__ = outer
    outer.add_note("a note")
    text = chain_text(outer)
    assert all(part in text for part in ("inner text", "outer text", "a note"))
