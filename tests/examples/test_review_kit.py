"""The review kit: its traffic arrives over OTLP, and its queries ask for what exists."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from abuse_gate.telemetry.otel.names import INSTRUMENTS
from examples.observability import export, phoenix, scraped
from examples.observability.queries import QUERIES
from examples.show.scenes import OVERRIDE, SCENES
from tests.telemetry.receiving import receiver

ROOT = Path(__file__).resolve().parents[2]
KIT = ROOT / "examples" / "observability"
DASHBOARD: dict[str, Any] = json.loads((KIT / "grafana" / "abuse-gate.json").read_text())
ALERTS: dict[str, Any] = yaml.safe_load((KIT / "prometheus" / "alerts.yml").read_text())
RULES: list[dict[str, Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]


def prometheus_names() -> set[str]:
    """The series that a scrape shows for every instrument."""
    names: set[str] = set()
    for name, law in INSTRUMENTS.items():
        base = name.replace(".", "_") + {"s": "_seconds"}.get(law.unit, "")
        if law.kind == "histogram":
            names |= {f"{base}_{part}" for part in ("bucket", "sum", "count")}
        elif law.kind == "counter" and not base.endswith("_total"):
            names.add(f"{base}_total")
        else:
            names.add(base)
    return names


def labels_of(series: str) -> set[str]:
    known = {
        label.replace(".", "_")
        for name, law in INSTRUMENTS.items()
        if series.startswith(name.replace(".", "_"))
        for label in law.labels
    }
    return known | {"le"}


PROMQL = [
    (panel["title"], target["expr"]) for panel in DASHBOARD["panels"] for target in panel["targets"]
] + [(rule["alert"], rule["expr"]) for rule in RULES]


@pytest.mark.parametrize(("title", "query"), PROMQL)
def test_every_query_names_series_and_labels_that_exist(title: str, query: str) -> None:
    series = set(re.findall(r"\b(?:abuse_gate|verifier|gen_ai)_[a-z0-9_]+\b(?=[\[{)\s]|$)", query))
    series -= {"gen_ai_token_type"}
    assert series, title
    assert series <= prometheus_names(), title
    for grouped in re.findall(r"by \(([^)]*)\)", query):
        wanted = {label.strip() for label in grouped.split(",")}
        assert all(wanted <= labels_of(each) for each in series), title


def test_panels_and_alerts_are_told_apart() -> None:
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    assert all(rule["annotations"]["summary"] and rule["labels"]["severity"] for rule in RULES)


def test_every_alert_is_of_prometheus_shape_and_has_its_own_test() -> None:
    told: dict[str, Any] = yaml.safe_load((KIT / "prometheus" / "alerts.test.yml").read_text())
    quiet = {case["alertname"] for case in told["tests"][0]["alert_rule_test"]}
    assert quiet == {rule["alert"] for rule in RULES}
    assert all(set(rule) <= {"alert", "expr", "for", "labels", "annotations"} for rule in RULES)


@pytest.mark.parametrize("action", ["check", "test"])
def test_prometheus_itself_takes_the_alerts_where_it_is_installed(action: str) -> None:
    tool = shutil.which("promtool")
    name = "alerts.yml" if action == "check" else "alerts.test.yml"
    command = [tool, action, "rules", name] if tool else [sys.executable, "--version"]
    done = subprocess.run(command, cwd=KIT / "prometheus", capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("expression", "read"),
    [
        ("sum by (gen_ai_token_type) (rate(verifier_x_sum[1m]))", {"verifier_x_sum"}),
        ('a{b="c"} / abuse_gate_x{d="e"} > 5', {'abuse_gate_x{d="e"}'}),
        ("sum(up)", set[str]()),
    ],
)
def test_what_an_expression_reads_is_told(expression: str, read: set[str]) -> None:
    assert scraped.selectors(expression) == read


def test_without_prometheus_the_review_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert scraped.main(["--program", "/nowhere/prometheus"]) == 2
    assert "no Prometheus here" in capsys.readouterr().out


def test_the_collectors_pipelines_name_what_it_has() -> None:
    config: dict[str, Any] = yaml.safe_load((KIT / "collector.yaml").read_text())
    for pipeline in config["service"]["pipelines"].values():
        for part, names in pipeline.items():
            assert set(names) <= set(config[part])


def test_the_demos_traffic_is_found_by_incident_id_over_otlp() -> None:
    with receiver() as received:
        done = subprocess.run(
            [sys.executable, "-m", export.__name__],
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "HOME": os.environ.get("HOME", "/"),
                "OTEL_EXPORTER_OTLP_ENDPOINT": received.address,
                export.METRICS: "1",
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        rows = re.findall(r"^  (\d{3})  (\w+) +([0-9a-f]{32})  (.*)$", done.stdout, re.MULTILINE)
        assert [row[3] for row in rows] == [scene.title for scene in SCENES]
        for _, decision, incident_id, _ in rows:
            told = received.guardrail(incident_id)
            assert told["abuse_gate.decision"].string_value == decision
            assert told["abuse_gate.policy_version"].string_value
        assert {"verifier.requests_total", "abuse_gate.decisions"} <= received.metrics
        assert not [raw for raw in received.raw if OVERRIDE.encode() in raw]


def test_the_saved_queries_are_in_the_docs() -> None:
    told = (ROOT / "docs" / "review.md").read_text()
    assert [title for title, query in QUERIES.items() if f"`{query}`" not in told] == []
    assert [title for title in QUERIES if title not in told] == []


def test_phoenix_is_told_to_stay_at_home() -> None:
    assert phoenix.SWITCHES["PHOENIX_HOST"] == "127.0.0.1"
    assert phoenix.SWITCHES["PHOENIX_TELEMETRY_ENABLED"] == "false"
    assert phoenix.main(["--program", "/nowhere/phoenix"]) == 1


@pytest.mark.parametrize("module", [export, phoenix, scraped])
def test_a_part_of_the_kit_says_how_to_run_it(module: Any) -> None:
    assert "Run it   " in module.__doc__
    assert "See      " in module.__doc__
