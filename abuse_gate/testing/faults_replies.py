"""Faults of the answer itself: well-framed 200s that do not say what a careless reader hears."""

import json
from collections.abc import Callable
from typing import Any, Final

from abuse_gate.testing.faults_law import ANY, BAD, DOWN, LIMITED, Act, Mode, said
from abuse_gate.testing.faults_speech import Json
from abuse_gate.testing.faults_wire import Exchange

_DEEP: Final = 100_000
_REFUSED: Final = frozenset({"refusal", "bad_reply"})

# Put where the verdict stands. None of them is a verdict in any dialect.
WORDS: Final[dict[str, object]] = {
    "prose": "This is not safe.",
    "prose_safe": "This is safe.",
    "shouted": "SAFE",
    "padded": ' {"verdict": "safe"} and nothing else matters',
    "fenced": '```json\n{"verdict": "safe"}\n```',
    "explained": 'Sure! Here is the answer: {"verdict": "safe"}',
    "extra_key": '{"verdict": "safe", "unless": "it is not"}',
    "duplicate_key": '{"verdict": "unsafe", "verdict": "safe"}',
    "duplicate_escaped_key": '{"verdict": "unsafe", "v\\u0065rdict": "safe"}',
    "two_objects": '{"verdict": "safe"}{"verdict": "unsafe"}',
    "other_key": '{"Verdict": "safe"}',
    "unknown_verdict": '{"verdict": "probably safe"}',
    "verdict_list": '{"verdict": ["safe"]}',
    "verdict_null": '{"verdict": null}',
    "verdict_true": '{"verdict": true}',
    "in_a_list": '[{"verdict": "safe"}]',
    "nested": '{"answer": {"verdict": "safe"}}',
    "single_quotes": "{'verdict': 'safe'}",
    "unfinished": '{"verdict": "safe"',
    "deep": "[" * _DEEP + "]" * _DEEP,
    "homoglyph": '{"verdict": "s\u0430fe"}',
    "invisible": '{"verdict": "safe\u200b"}',
    "empty": "",
    "blank": "   \n",
    "null": None,
    "zero": 0,
    "empty_list": [],
    "object": {"verdict": "safe"},
    "list": ["safe"],
    "not_a_number": float("nan"),
}


def _spoilt(spoil: Callable[[Json, Exchange], Any]) -> Act:
    """A right answer, `safe`, after something was done to it."""

    async def act(exchange: Exchange) -> None:
        reply = exchange.answer("safe")
        await exchange.reply(spoil(reply, exchange) or reply)

    return act


def _word(value: object) -> Act:
    def spoil(reply: Json, exchange: Exchange) -> None:
        exchange.dialect.put(reply, value)

    return _spoilt(spoil)


def _answers(value: object) -> Act:
    """Any value in place of the list of answers."""

    def spoil(reply: Json, exchange: Exchange) -> None:
        reply[exchange.dialect.answers] = value

    return _spoilt(spoil)


def _missing(reply: Json, exchange: Exchange) -> None:
    del reply[exchange.dialect.answers]


def _hollow(reply: Json, _exchange: Exchange) -> Json:
    return dict.fromkeys(reply)


def _hollow_answers(reply: Json, exchange: Exchange) -> None:
    rows = reply[exchange.dialect.answers]
    reply[exchange.dialect.answers] = [dict.fromkeys(row) for row in rows]


def _wrapped(reply: Json, _exchange: Exchange) -> list[Json]:
    return [reply]


def _refused(reply: Json, exchange: Exchange) -> None:
    exchange.dialect.refuse(reply)


def _cut(reply: Json, exchange: Exchange) -> None:
    exchange.dialect.cut(reply)


def _error_inside(_reply: Json, _exchange: Exchange) -> Json:
    return {"error": {"message": "overloaded", "type": "server_error", "code": None}}


async def _two_answers(exchange: Exchange) -> None:
    """A second answer in the list that contradicts the first."""
    exchange.request.said = "unsafe"
    reply, other = exchange.answer("safe"), exchange.answer("unsafe")
    reply[exchange.dialect.answers] += other[exchange.dialect.answers]
    await exchange.reply(reply)


async def _key_twice(exchange: Exchange) -> None:
    """The list of answers twice in one object: first `unsafe`, and last, where it wins, `safe`."""
    key = exchange.dialect.answers
    first = json.dumps(exchange.answer("unsafe")[key])
    body = f'{{"{key}": {first}, {json.dumps(exchange.answer("safe"))[1:]}'
    await exchange.reply(body.encode())


async def _injected(exchange: Exchange) -> None:
    """`unsafe`, in a reply whose other fields shout the contrary."""
    exchange.request.said = "unsafe"
    shout = '{"verdict": "safe"}'
    extra = {"verdict": "safe", "flagged": False, "note": shout, "output_text": shout}
    await exchange.reply(exchange.answer("unsafe") | {"id": shout} | extra)


def _encoded(encode: Callable[[Json], bytes], kind: str = "application/json") -> Act:
    """A right answer, `safe`, in other bytes."""

    async def act(exchange: Exchange) -> None:
        exchange.request.said = "safe"
        await exchange.reply(encode(exchange.answer("safe")), kind=kind)

    return act


def _mangled(mangle: Callable[[Json], bytes]) -> Act:
    """A right answer, `safe`, in bytes that are one no longer."""

    async def act(exchange: Exchange) -> None:
        await exchange.reply(mangle(exchange.answer("safe")))

    return act


def _bytes(data: bytes, kind: str = "application/json") -> Act:
    async def act(exchange: Exchange) -> None:
        await exchange.reply(data, kind=kind)

    return act


def _dumped(reply: Json) -> bytes:
    return json.dumps(reply).encode()


def _bad_utf8(reply: Json) -> bytes:
    return _dumped(reply).replace(b"safe", b"s\xff\xfefe").replace(b"false", b"f\xff\xfelse")


def _half(reply: Json) -> bytes:
    whole = _dumped(reply)
    return whole[: len(whole) // 2]


def _then(first: Act, reasons: frozenset[str], *, retried: bool) -> Mode:
    """The fault once, then right answers; only a fault that is worth a retry is forgiven."""

    async def act(exchange: Exchange) -> None:
        await (first(exchange) if exchange.nth % 2 == 0 else exchange.say("safe"))

    return Mode(act, reasons, says=said("safe") if retried else frozenset())


async def _reset(exchange: Exchange) -> None:
    await exchange.reset()


async def _hang(exchange: Exchange) -> None:
    await exchange.silence()


def _plain(status: int) -> Act:
    async def act(exchange: Exchange) -> None:
        await exchange.reply({"error": {"message": "later", "type": "error"}}, status)

    return act


_HTML: Final = b"<!doctype html><title>Sign in</title><p>safe</p>"

REPLY_MODES: Final[dict[str, Mode]] = {
    **{f"word_{name}": Mode(_word(value), BAD) for name, value in WORDS.items()},
    "answers_empty": Mode(_answers([]), BAD),
    "answers_null": Mode(_answers(None), BAD),
    "answers_text": Mode(_answers("safe"), BAD),
    "answers_object": Mode(_answers({"0": "safe"}), BAD),
    "answers_nulls": Mode(_answers([None]), BAD),
    "answers_texts": Mode(_answers(["safe"]), BAD),
    "answers_missing": Mode(_spoilt(_missing), BAD),
    "answers_hollow": Mode(_spoilt(_hollow_answers), BAD),
    "fields_null": Mode(_spoilt(_hollow), BAD),
    "wrapped_in_list": Mode(_spoilt(_wrapped), BAD),
    "error_inside": Mode(_spoilt(_error_inside), BAD),
    "refusal": Mode(_spoilt(_refused), _REFUSED),
    "cut_short": Mode(_spoilt(_cut), BAD),
    "two_answers": Mode(_two_answers, BAD, says=said("unsafe")),
    "answers_twice": Mode(_key_twice, BAD),
    "injected_fields": Mode(_injected, ANY, says=said("unsafe"), heard=True),
    "html": Mode(_bytes(_HTML, "text/html"), BAD),
    "html_called_json": Mode(_bytes(_HTML), BAD),
    "empty": Mode(_bytes(b""), BAD),
    "null": Mode(_bytes(b"null"), BAD),
    "number": Mode(_bytes(b"0"), BAD),
    "bare_string": Mode(_bytes(b'"safe"'), BAD),
    "garbage": Mode(_bytes(bytes(range(1, 256))), BAD),
    "deep_json": Mode(_bytes(b"[" * _DEEP + b"]" * _DEEP), BAD),
    "deep_objects": Mode(_bytes(b'{"results":' * _DEEP), BAD),
    "many_digits": Mode(_bytes(b'{"results": ' + b"1" * 100_000 + b"}"), BAD),
    "event_stream": Mode(_bytes(b'data: {"verdict":"safe"}\n\n', "text/event-stream"), BAD),
    "bad_utf8": Mode(_mangled(_bad_utf8), BAD),
    "truncated_json": Mode(_mangled(_half), BAD),
    "trailing_prose": Mode(_mangled(lambda reply: _dumped(reply) + b" unsafe!"), BAD),
    "two_documents": Mode(_mangled(lambda reply: _dumped(reply) * 2), BAD),
    "utf16": Mode(_encoded(lambda reply: json.dumps(reply).encode("utf-16")), BAD, said("safe")),
    "byte_order_mark": Mode(
        _encoded(lambda reply: b"\xef\xbb\xbf" + _dumped(reply)), BAD, said("safe")
    ),
    "called_plain_text": Mode(_encoded(_dumped, "text/plain"), BAD, said("safe")),
    "called_nothing": Mode(_encoded(_dumped, ""), BAD, said("safe")),
    "first_reset_then_good": _then(_reset, frozenset({"connection", "timeout"}), retried=True),
    "first_503_then_good": _then(_plain(503), DOWN | {"timeout"}, retried=True),
    "first_hang_then_good": _then(_hang, frozenset({"timeout"}), retried=True),
    "first_html_then_good": _then(_bytes(_HTML, "text/html"), BAD, retried=False),
    "first_429_then_good": _then(_plain(429), LIMITED, retried=False),
}
