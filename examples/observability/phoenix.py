"""The demo's traffic, reviewed in Phoenix: a real back end on loopback, installed aside.

Run it   make review          starts Phoenix, sends the demo's traffic, and serves until Ctrl-C
         make review-e2e      the same, reads the spans back over the API, and ends
See      http://127.0.0.1:6006: every request as a trace, its guardrail span with the decision, the
         rules, the digests and the time of each step. Nothing that a visitor wrote.

Phoenix has a licence of its own, so that it is never a dependency: the Makefile installs it aside.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from examples.observability.export import Sent, exporting, traffic
from examples.observability.queries import QUERIES
from examples.show.scenes import DOUBTFUL, OVERRIDE
from examples.show.stage import HOST, open_stage

PORT: Final = 6006
PROGRAM: Final = ".phoenix/bin/phoenix"
_START_SECONDS: Final = 120
_ARRIVE_SECONDS: Final = 30
# Nothing of it calls out, and nothing of it runs commands.
SWITCHES: Final = {
    "PHOENIX_HOST": HOST,
    "PHOENIX_TELEMETRY_ENABLED": "false",
    "PHOENIX_ALLOW_EXTERNAL_RESOURCES": "false",
    "PHOENIX_DISABLE_AGENT_ASSISTANT": "true",
    "PHOENIX_AGENTS_DISABLE_BASH": "true",
    "PHOENIX_ENABLE_MCP_SERVER": "false",
}


_SPANS: Final = """
query ($id: ID!, $condition: String) {
  node(id: $id) { ... on Project { spans(first: 5, filterCondition: $condition) {
    edges { node { name } } } } }
}
"""


class ReviewError(Exception):
    """The review cannot go on; the message is for the person at the terminal."""


def fetch(url: str | urllib.request.Request) -> Any:
    """A JSON document off loopback."""
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - loopback
        return json.load(answer)


@contextmanager
def phoenix(program: str, port: int, folder: str) -> Generator[str]:
    """Phoenix, ready; its address. Stopped on the way out."""
    if not Path(program).exists():
        raise ReviewError(f"{program} is not there; run it by: make review")
    environment = {
        **os.environ,
        **SWITCHES,
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
        "PHOENIX_WORKING_DIR": folder,
    }
    log = Path(folder, "phoenix.log")
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - a program of our own environment
            [program, "serve"], env=environment, stdout=output, stderr=output
        )
        try:
            wait_for("Phoenix", f"http://{HOST}:{port}/healthz", process, log)
            yield f"http://{HOST}:{port}"
        finally:
            process.terminate()
            process.wait(20)


def wait_for(name: str, url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Until a program that was started answers; one that ends instead is quoted."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise ReviewError(f"{name} ended at once:\n{log.read_text()[-800:]}")
        try:
            urllib.request.urlopen(url, timeout=2).close()  # noqa: S310 - loopback
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise ReviewError(f"{name} did not start in time")


def spans_of(address: str, incident_id: str) -> list[dict[str, Any]]:
    """The spans that Phoenix knows under an incident id."""
    query = urllib.parse.urlencode({"attribute": f'abuse_gate.incident_id:"{incident_id}"'})
    found: list[dict[str, Any]] = fetch(f"{address}/v1/projects/default/spans?{query}")["data"]
    return found


def check(address: str, sent: Sequence[Sent]) -> list[str]:
    """What Phoenix does not know of the traffic, or knows and should not."""
    wrong: list[str] = []
    for request in sent:
        spans = _arrived(address, request.incident_id)
        decisions = {span["attributes"].get("abuse_gate.decision") for span in spans}
        if len(spans) != 1 or decisions != {request.decision}:
            wrong.append(f"{request.title}: {len(spans)} spans, decisions {decisions}")
    return wrong


def leaks(address: str) -> list[str]:
    """Words of the script that stand anywhere in Phoenix."""
    everything = json.dumps(fetch(f"{address}/v1/projects/default/spans?limit=1000"))
    return [f"leaked: {text}" for text in (OVERRIDE, DOUBTFUL) if text[:20] in everything]


def saved(address: str, incident_id: str) -> list[str]:
    """The saved queries that Phoenix does not take, and the first one if it does not find."""
    wrong: list[str] = []
    for title, query in QUERIES.items():
        answer = _filtered(address, query.replace("'ID'", f"'{incident_id}'"))
        if answer.get("errors"):
            wrong.append(f"{title}: Phoenix does not take the query")
        elif title == "find an incident" and len(answer["data"]["node"]["spans"]["edges"]) != 1:
            wrong.append(f"{title}: it is not found")
    return wrong


def _filtered(address: str, condition: str) -> dict[str, Any]:
    project = fetch(f"{address}/v1/projects/default")["data"]["id"]
    body = {"query": _SPANS, "variables": {"id": project, "condition": condition}}
    request = urllib.request.Request(  # noqa: S310 - loopback
        f"{address}/graphql", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    answer: dict[str, Any] = fetch(request)
    return answer


def _arrived(address: str, incident_id: str) -> list[dict[str, Any]]:
    deadline = time.monotonic() + _ARRIVE_SECONDS
    spans = spans_of(address, incident_id)
    while not spans and time.monotonic() < deadline:
        time.sleep(0.3)
        spans = spans_of(address, incident_id)
    return spans


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server((HOST, 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def main(arguments: Sequence[str] | None = None) -> int:
    """Starts Phoenix, sends the traffic, then checks or serves."""
    parser = argparse.ArgumentParser(prog="python -m examples.observability.phoenix")
    parser.add_argument("--check", action="store_true", help="read the spans back and end")
    parser.add_argument("--program", default=PROGRAM, help="where Phoenix is installed")
    given = parser.parse_args(arguments)
    try:
        return _review(given.program, checking=given.check)
    except (ReviewError, urllib.error.URLError) as error:
        print(f"review: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


def _review(program: str, *, checking: bool) -> int:
    port = free_port() if checking else PORT
    with tempfile.TemporaryDirectory() as folder, phoenix(program, port, folder) as address:
        with exporting(address), open_stage() as stage:
            sent = traffic(stage.gated)
        for request in sent:
            print(
                f"  {request.status}  {request.decision:<8} {request.incident_id}  {request.title}"
            )
        missing = check(address, sent)
        print(f"  {len(sent) - len(missing)} of {len(sent)} found in Phoenix by incident id")
        refused = saved(address, sent[0].incident_id)
        print(f"  {len(QUERIES) - len(refused)} of {len(QUERIES)} saved queries taken")
        wrong = [*missing, *refused, *leaks(address)]
        print(*wrong, sep="\n")
        if not checking:
            print(f"\n  {address}/projects: look for an incident id; Ctrl-C ends it", flush=True)
            while True:
                time.sleep(3600)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
