"""The dashboard and the alerts against a real Prometheus that scrapes a real gate, on loopback.

Run it   make review-prometheus    PROMETHEUS=/path/to/prometheus where it is not on the PATH
See      every rule loaded and evaluated, and every expression of the dashboard with an answer.

Needs no root; examples/observability/README.md says how to get it without.
"""

import argparse
import asyncio
import json
import logging
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from prometheus_client import start_http_server

from abuse_gate import AbuseGateMiddleware, Assessment, Settings
from abuse_gate.contract import ProviderMisconfigured, ProviderUnavailable
from abuse_gate.model.verdict import Usage
from abuse_gate.testing import ScriptedAdapter
from abuse_gate.testing.asgi import chunks, converse, http_scope
from examples.chat_app import build_app
from examples.observability.phoenix import ReviewError, fetch, free_port, wait_for
from examples.show.scenes import OVERRIDE
from examples.show.stage import HOST

KIT: Final = Path(__file__).parent
ALERTS: Final = KIT / "prometheus" / "alerts.yml"
DASHBOARD: Final = KIT / "grafana" / "abuse-gate.json"
INTERVAL: Final = "1m"
_SECONDS: Final = 30
_ROUNDS: Final = 3
_SERIES: Final = re.compile(r"\b(?:abuse_gate|verifier|gen_ai)_[a-z0-9_]+(?:\{[^}]*\})?")
# As a verifier does on bad days: every sort of answer, and every sort of failure.
_ANSWERS: Final = (
    Assessment("safe", "model_safe", usage=Usage("openai", "small", 90, 3)),
    ProviderUnavailable(),
    ProviderUnavailable(),
    ProviderMisconfigured(),
)
_CONFIG: Final = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{rules}]
scrape_configs:
  - job_name: gate
    static_configs: [{{targets: ["{target}"]}}]
"""


def panels() -> list[tuple[str, str]]:
    """Title and expression of everything that the dashboard draws."""
    board: dict[str, Any] = json.loads(DASHBOARD.read_text())
    return [
        (panel["title"], target["expr"].replace("$__rate_interval", INTERVAL))
        for panel in board["panels"]
        for target in panel["targets"]
    ]


def selectors(expression: str) -> set[str]:
    """The series that an expression reads, with what they are narrowed to."""
    return set(_SERIES.findall(re.sub(r"by \([^)]*\)", "", expression)))


async def play(gate: AbuseGateMiddleware, rounds: int = _ROUNDS) -> None:
    """Requests that move every number of a gate: passes, blocks, failures, a quarantine."""
    for number in range(rounds * len(_ANSWERS)):
        for person, text in (("a friend", f"Good day {number}"), ("a foe", f"{OVERRIDE} {number}")):
            scope = http_scope("/chat", headers=[(b"content-type", b"application/json")])
            scope["client"] = (person, 1)
            await converse(gate, scope, chunks(json.dumps({"message": text}).encode()))


@contextmanager
def gated(folder: str) -> Generator[tuple[AbuseGateMiddleware, str]]:
    """A gate whose numbers are served as Prometheus reads them, and where."""
    reader = PrometheusMetricReader()
    port = free_port()
    server, thread = start_http_server(port, HOST)
    gate = AbuseGateMiddleware(
        build_app(),
        settings=Settings(audit_path=str(Path(folder, "audit.jsonl")), verifier_max_retries=0),
        adapter=ScriptedAdapter(_ANSWERS * _ROUNDS * 2),
        subject=lambda scope: str(scope["client"][0]),
        meter_provider=MeterProvider([reader]),
    )
    try:
        yield gate, f"{HOST}:{port}"
    finally:
        server.shutdown()
        thread.join()


@contextmanager
def prometheus(program: str, target: str, folder: str) -> Generator[str]:
    """Prometheus with our rules, scraping the target; its address. Stopped on the way out."""
    config, log = Path(folder, "prometheus.yml"), Path(folder, "prometheus.log")
    config.write_text(_CONFIG.format(rules=ALERTS.resolve(), target=target))
    port = free_port()
    command = [
        program,
        f"--config.file={config}",
        f"--storage.tsdb.path={folder}/data",
        f"--web.listen-address={HOST}:{port}",
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)  # noqa: S603 - as asked
        try:
            wait_for("Prometheus", f"http://{HOST}:{port}/-/ready", process, log)
            yield f"http://{HOST}:{port}/api/v1"
        finally:
            process.terminate()
            process.wait(20)


def asked(api: str, expression: str) -> list[Any]:
    """What Prometheus answers to an expression now; a query that it does not take raises."""
    query = urllib.parse.urlencode({"query": expression})
    found: list[Any] = fetch(f"{api}/query?{query}")["data"]["result"]
    return found


def number(api: str, expression: str) -> bool:
    """Whether an expression has an answer that can be drawn."""
    return any(each["value"][1] != "NaN" for each in asked(api, expression))


def scraped(api: str, times: int) -> None:
    """Waits until the gate was scraped so many times more."""
    deadline = time.monotonic() + _SECONDS
    before = _scrapes(api)
    while _scrapes(api) < before + times:
        if time.monotonic() > deadline:
            raise ReviewError("Prometheus does not scrape the gate")
        time.sleep(0.3)


def _scrapes(api: str) -> int:
    found = asked(api, "count_over_time(up[5m])")
    return int(found[0]["value"][1]) if found else 0


def rules(api: str) -> list[dict[str, Any]]:
    """Every rule as Prometheus has loaded it, once each of them was evaluated."""
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        groups = fetch(f"{api}/rules")["data"]["groups"]
        loaded = [rule for group in groups for rule in group["rules"]]
        if loaded and all(rule["health"] != "unknown" for rule in loaded):
            return loaded
        time.sleep(0.3)
    raise ReviewError("the rules were not evaluated in time")


def missing(api: str, expressions: Iterable[tuple[str, str]]) -> list[str]:
    """The series that an expression reads and Prometheus has never seen."""
    wanted = {(title, each) for title, expression in expressions for each in selectors(expression)}
    return [f"{title}: no series {each}" for title, each in sorted(wanted) if not asked(api, each)]


def check(api: str) -> list[str]:
    """What does not load, does not parse, or reads what is not there."""
    loaded, drawn = rules(api), panels()
    wrong = [f"{rule['name']}: {rule['lastError']}" for rule in loaded if rule["health"] != "ok"]
    wrong += [f"{title}: no number for {query}" for title, query in drawn if not number(api, query)]
    wrong += missing(api, [*drawn, *((rule["name"], rule["query"]) for rule in loaded)])
    print(f"  {len(loaded)} rules loaded, {len(drawn)} expressions of the dashboard")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Starts a gate and Prometheus, sends traffic, and checks."""
    parser = argparse.ArgumentParser(prog="python -m examples.observability.scraped")
    parser.add_argument("--program", default="prometheus", help="where Prometheus is installed")
    wanted: str = parser.parse_args(arguments).program
    program = shutil.which(wanted)
    if program is None:
        print("review: there is no Prometheus here; see examples/observability/README.md")
        return 2
    try:
        wrong = _review(program)
    except (ReviewError, OSError) as error:
        wrong = [str(error)]
    print(*wrong, "as it should be" if not wrong else "NOT as it should be", sep="\n  ")
    return 1 if wrong else 0


def _review(program: str) -> list[str]:
    with (
        tempfile.TemporaryDirectory() as folder,
        gated(folder) as (gate, target),
        prometheus(program, target, folder) as api,
    ):
        # Twice, with a scrape between: a rate needs two points.
        for expected in (1, 2):
            scraped(api, expected)
            asyncio.run(play(gate))
        scraped(api, 2)
        return check(api)


if __name__ == "__main__":
    logging.getLogger("abuse_gate").setLevel(logging.CRITICAL)
    sys.exit(main())
