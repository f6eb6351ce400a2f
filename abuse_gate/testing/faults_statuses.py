"""Faults by status: redirects to another host, refusals of every kind, a provider that is down."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Final

from abuse_gate.testing.faults_dialects import error_body
from abuse_gate.testing.faults_law import BAD, DOWN, LIMITED, MISCONFIGURED, Act, Mode, said
from abuse_gate.testing.faults_wire import Exchange, Header

# A request that arrives under this path followed a redirect.
ELSEWHERE: Final = "/elsewhere"

_MOST_QUOTED: Final = 4096
_LOOSE: Final = MISCONFIGURED | BAD | {"connection"}


def _status(status: int, headers: Iterable[Header] = ()) -> Act:
    """An error that quotes the request and the key that came with it, as providers do."""
    fixed = tuple(headers)

    async def act(exchange: Exchange) -> None:
        key = exchange.request.headers.get("authorization", "")
        quoted = f"{key} {exchange.body[:_MOST_QUOTED].decode('utf-8', 'replace')}"
        await exchange.reply(error_body(exchange.dialect, status, quoted), status, fixed)

    return act


def _redirect(status: int) -> Act:
    """To another name of this same server, so that a request which follows is seen."""

    async def act(exchange: Exchange) -> None:
        port = exchange.writer.get_extra_info("sockname")[1]
        place = f"http://localhost:{port}{ELSEWHERE}{exchange.request.path}"
        await exchange.reply(b"", status, [("location", place)])

    return act


def _bodyless(status: int) -> Act:
    async def act(exchange: Exchange) -> None:
        await exchange.send(f"HTTP/1.1 {status} Odd\r\n\r\n".encode())
        exchange.close()

    return act


async def _content_filter(exchange: Exchange) -> None:
    error = {
        "code": "content_filter",
        "message": "The response was filtered.",
        "type": None,
        "param": "prompt",
        "status": 400,
        "innererror": {
            "code": "ResponsibleAIPolicyViolation",
            "content_filter_result": {"jailbreak": {"filtered": True, "detected": True}},
        },
    }
    exchange.request.said = "unsafe"
    await exchange.reply({"error": error}, 400)


async def _retry_date(exchange: Exchange) -> None:
    moment = datetime.now(UTC) + timedelta(seconds=2)
    await _status(429, [("retry-after", format_datetime(moment, usegmt=True))])(exchange)


# What a provider may write into Retry-After, the absurd included.
RETRY_AFTER: Final[dict[str, tuple[Header, ...]]] = {
    "none": (),
    "zero": (("retry-after", "0"),),
    "seconds": (("retry-after", "2"),),
    "fraction": (("retry-after", "0.5"),),
    "negative": (("retry-after", "-5"),),
    "huge": (("retry-after", "9" * 400),),
    "nan": (("retry-after", "nan"),),
    "infinite": (("retry-after", "inf"),),
    "words": (("retry-after", "soon"),),
    "empty": (("retry-after", ""),),
    "past_date": (("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"),),
    "broken_date": (("retry-after", "Wed, 99 Foo 2015 99:99:99 GMT"),),
    "milliseconds": (("retry-after-ms", "250"),),
    "twice": (("retry-after", "1"), ("retry-after", "3600")),
    "not_ascii": (("retry-after", "\u00b2"),),
}

STATUS_MODES: Final[dict[str, Mode]] = {
    **{f"status_{s}": Mode(_redirect(s), MISCONFIGURED) for s in (300, 301, 302, 303, 307, 308)},
    **{
        f"status_{s}": Mode(_status(s), MISCONFIGURED)
        for s in (400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 418, 422, 451)
    },
    **{f"status_{s}": Mode(_status(s), DOWN) for s in (500, 501, 502, 503, 504, 520, 529, 599)},
    "status_503_retry_after": Mode(_status(503, [("retry-after", "120")]), DOWN),
    # A provider that says it waited too long may also be called late.
    "status_408": Mode(_status(408), MISCONFIGURED | {"timeout"}),
    "status_101": Mode(_bodyless(101), _LOOSE),
    "status_204": Mode(_bodyless(204), BAD),
    "status_304": Mode(_bodyless(304), MISCONFIGURED),
    "status_999": Mode(_status(999), _LOOSE | DOWN),
    "content_filter": Mode(_content_filter, MISCONFIGURED, says=said("unsafe")),
    **{f"limited_{name}": Mode(_status(429, h), LIMITED) for name, h in RETRY_AFTER.items()},
    "limited_date": Mode(_retry_date, LIMITED),
}
