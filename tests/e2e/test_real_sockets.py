"""The gate under a real uvicorn, byte by byte: both HTTP parsers, both event loops."""

import contextlib
import gzip
import hashlib
import json
import socket
from collections.abc import Generator
from typing import BinaryIO

import pytest

from tests.e2e.house import ATTACK, House
from tests.e2e.serving import Served, wait_until
from tests.e2e.wire import Answer, answer, chunked, head, post

JSON_TYPE = "Content-Type: application/json"
BENIGN = json.dumps({"question": "What is the capital of France?"}).encode()
HOSTILE = json.dumps({"question": ATTACK}).encode()


@contextlib.contextmanager
def talking(served: Served) -> Generator[tuple[socket.socket, BinaryIO]]:
    """A connection, and what comes back on it."""
    with served.connect() as line, line.makefile("rb") as reader:
        yield line, reader


def ask(served: Served, request: bytes) -> Answer:
    with talking(served) as (line, reader):
        line.sendall(request)
        return answer(reader)


def digest(body: bytes) -> dict[str, object]:
    return {"sha256": hashlib.sha256(body).hexdigest(), "length": len(body)}


def test_an_ordinary_body_reaches_the_app_unchanged(served: Served) -> None:
    got = ask(served, post("/plain", BENIGN, JSON_TYPE))
    assert (got.status, got.json()) == (200, digest(BENIGN))
    assert got.gated
    assert got.headers["x-guardrail-decision"] == "allow"


def test_an_attack_is_refused_and_the_app_is_not_called(served: Served, house: House) -> None:
    before = house.entered["/attacked"]
    got = ask(served, post("/attacked", HOSTILE, JSON_TYPE))
    assert got.status == 403
    assert got.gated
    assert got.headers["x-guardrail-decision"] == "block"
    assert got.json()["incident_id"] == got.headers["x-guardrail-incident-id"]
    assert house.entered["/attacked"] == before


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_a_chunked_upload_is_byte_identical(served: Served, size: int) -> None:
    body = json.dumps({"text": "naïve café, " * 40, "tail": "\x00\u2028"}).encode()
    request = head("POST", "/chunked", JSON_TYPE, "Transfer-Encoding: chunked")
    got = ask(served, request + chunked(body, size))
    assert (got.status, got.json()) == (200, digest(body))


def test_a_chunked_attack_is_refused_whatever_the_chunks(served: Served) -> None:
    request = head("POST", "/chunked", JSON_TYPE, "Transfer-Encoding: chunked")
    assert ask(served, request + chunked(HOSTILE, 5)).status == 403


def test_a_connection_serves_on_after_a_block(served: Served) -> None:
    with talking(served) as (line, reader):
        statuses: list[int] = []
        for body in (HOSTILE, BENIGN, HOSTILE, BENIGN):
            line.sendall(post("/again", body, JSON_TYPE))
            statuses.append(answer(reader).status)
    assert statuses == [403, 200, 403, 200]


def test_pipelined_requests_are_answered_in_order(served: Served) -> None:
    bodies = (BENIGN, HOSTILE, BENIGN + b" ")
    with talking(served) as (line, reader):
        line.sendall(b"".join(post("/piped", body, JSON_TYPE) for body in bodies))
        first, second, third = (answer(reader) for _ in bodies)
    assert first.json() == digest(bodies[0])
    assert second.status == 403
    assert third.json() == digest(bodies[2])


def test_incident_ids_never_repeat_on_a_connection(served: Served) -> None:
    with talking(served) as (line, reader):
        seen: set[str] = set()
        for _ in range(20):
            line.sendall(post("/ids", BENIGN, JSON_TYPE))
            seen.add(answer(reader).headers["x-guardrail-incident-id"])
    assert len(seen) == 20


def test_a_body_over_the_limit_is_answered_413(served: Served, house: House) -> None:
    """A client that sends on and on gets the answer, or a closed line behind it, never silence."""
    body = b'{"text": "' + b"a" * (3 << 20) + b'"}'
    before = house.entered["/large"]
    with talking(served) as (line, reader):
        with contextlib.suppress(ConnectionError):
            line.sendall(post("/large", body, JSON_TYPE))
        got = answer(reader)
    assert got.status == 413
    assert got.gated
    assert house.entered["/large"] == before


def test_a_body_over_the_limit_still_streams_where_the_policy_allows(served: Served) -> None:
    body = b'{"text": "' + b"a" * (3 << 20) + b'"}'
    got = ask(served, post("/any/large", body, JSON_TYPE))
    assert (got.status, got.json()) == (200, digest(body))
    assert got.headers["x-guardrail-decision"] == "allow"


def test_a_client_that_waits_for_100_continue_gets_it(served: Served) -> None:
    with talking(served) as (line, reader):
        expects = (f"Content-Length: {len(BENIGN)}", JSON_TYPE, "Expect: 100-continue")
        line.sendall(head("POST", "/expect", *expects))
        assert answer(reader).status == 100
        line.sendall(BENIGN)
        assert answer(reader).json() == digest(BENIGN)


def test_server_sent_events_arrive_one_by_one(served: Served) -> None:
    """The second event is only sent once a client that has read the first one says so."""
    name = f"stream-{served.port}"
    with talking(served) as (line, reader):
        line.sendall(head("GET", f"/sse/{name}", "Connection: close"))
        text = b""
        while b"first" not in text:
            text += reader.readline()
        assert b"x-guardrail-decision: allow" in text.lower()
        assert b"second" not in text
        assert ask(served, head("GET", f"/release/{name}")).status == 200
        assert b"data: second" in reader.read()


def test_head_has_our_headers_and_no_body(served: Served) -> None:
    with talking(served) as (line, reader):
        line.sendall(head("HEAD", "/hello") + head("GET", "/hello"))
        first, second = answer(reader, bodiless=True), answer(reader)
    assert (first.status, first.headers["content-length"]) == (200, "5")
    assert first.gated
    assert second.body == b"hello"


def test_a_refused_head_has_no_body_either(served: Served) -> None:
    path = "/hello?q=" + ATTACK.replace(" ", "+")
    with talking(served) as (line, reader):
        line.sendall(head("HEAD", path) + head("GET", "/hello"))
        first, second = answer(reader, bodiless=True), answer(reader)
    assert first.status == 403
    assert second.body == b"hello"


def test_a_gzip_body_is_read_and_reaches_the_app_as_sent(served: Served) -> None:
    coded = gzip.compress(BENIGN)
    got = ask(served, post("/coded", coded, JSON_TYPE, "Content-Encoding: gzip"))
    assert (got.status, got.json()) == (200, digest(coded))
    coded = gzip.compress(HOSTILE)
    assert ask(served, post("/coded", coded, JSON_TYPE, "Content-Encoding: gzip")).status == 403


def test_a_client_that_leaves_in_mid_body_is_forgotten(served: Served, house: House) -> None:
    before = house.arrived["/left"], house.entered["/left"]
    with served.connect() as line:
        line.sendall(head("POST", "/left", "Content-Length: 5000", JSON_TYPE) + b'{"text": "ab')
        assert wait_until(lambda: house.arrived["/left"] > before[0])
    assert wait_until(served.idle)
    assert house.entered["/left"] == before[1]
    assert ask(served, post("/after", BENIGN, JSON_TYPE)).status == 200


def test_a_client_that_leaves_during_verification_ends_the_question(
    served: Served, house: House
) -> None:
    asked, cancelled = house.adapter.lingering, house.adapter.cancelled
    entered = house.entered["/slow"]
    with served.connect() as line:
        line.sendall(post("/slow", b'{"text": "linger a little"}', JSON_TYPE))
        assert wait_until(lambda: house.adapter.lingering == asked + 1)
    assert wait_until(lambda: house.adapter.cancelled == cancelled + 1)
    assert wait_until(served.idle)
    assert house.entered["/slow"] == entered
    assert ask(served, post("/after", BENIGN, JSON_TYPE)).status == 200


def test_client_sent_guardrail_headers_do_not_open_the_gate(served: Served) -> None:
    forged = ("X-Guardrail-Decision: allow", "X-Guardrail-Mode: monitor")
    got = ask(served, post("/forged", HOSTILE, JSON_TYPE, *forged))
    assert (got.status, got.headers["x-guardrail-mode"]) == (403, "normal")
