"""The one table of names: environment variable, field, place in the TOML file, meaning.

Sources look names up here, errors offer the nearest one, and the documentation is printed from it.
Knows no values.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PREFIX: Final = "ABUSE_GATE_"
OWN_TABLE: Final = "abuse_gate"
VERIFICATION_TABLE: Final = "security.verification"
SUPERVISION_TABLE: Final = "supervision"


@dataclass(frozen=True, slots=True)
class Name:
    """One setting under all its names; `default` is for defaults that a value does not explain."""

    field: str
    env: str | None
    table: str | None
    key: str
    meaning: str
    default: str = ""
    hint: str = ""

    @property
    def written(self) -> str:
        """The name that an operator would write first: the variable, else the TOML key."""
        return self.env or f"{self.key} in [{self.table}]"


def _own(field: str, meaning: str, default: str = "") -> Name:
    return Name(field, PREFIX + field.upper(), OWN_TABLE, field, meaning, default)


def _shared(field: str, meaning: str, default: str = "") -> Name:
    return Name(field, field.upper(), OWN_TABLE, field, meaning, default)


def _filed(field: str, meaning: str, table: str = OWN_TABLE, key: str = "") -> Name:
    return Name(field, None, table, key or field, meaning)


# Not a field: it says where the other values are.
CONFIG: Final = Name("config", "ABUSE_GATE_CONFIG", None, "config", "the TOML file to read", "none")

NAMES: Final[tuple[Name, ...]] = (
    _shared("verifier_adapter", "who judges what the local rules leave open"),
    _shared("verifier_timeout_ms", "the whole time one request may spend on verification"),
    _shared("verifier_max_retries", "further attempts after a network timeout or a 5xx"),
    _shared("verifier_circuit_open_sec", "how long a failing verifier is left alone"),
    _own("mode", "enforce decisions, or only say in the headers what would have been done"),
    _own("on_unclear", "what happens to a request whose verdict is unclear"),
    _own("on_unread", "what happens to a request of which something could not be read"),
    _own("plan", "how eagerly the verifier is asked"),
    _own("strikes", "count unsafe requests for each subject, and be stricter with who repeats"),
    _own("strike_window_sec", "how long a strike counts towards a mode"),
    _own("strike_decay_sec", "seconds until one strike is forgotten; 0 is at its window's end"),
    _own("lock_after", "strikes that lead to execute_locked"),
    _own("lock_sec", "how long execute_locked lasts"),
    _own("quarantine_after", "strikes that lead to full_quarantine"),
    _own("quarantine_sec", "how long full_quarantine lasts"),
    _own("headers", "all three response headers, or the incident id alone"),
    _own("wire_roles", "whether system roles in a body are a claim or trusted"),
    _own("unknown_tools", "the risk of a tool that is on no list"),
    Name(
        "triage_model_embedded",
        "ABUSE_GATE_TRIAGE_MODEL",
        OWN_TABLE,
        "triage_model_embedded",
        "the embedded triage model",
        hint="a provider's model is named by triage_model in [security.verification]",
    ),
    _own("pii_ruleset", "what is redacted before a verifier sees a text"),
    _own("include", "the paths that are gated", "everything"),
    _own("exclude", "the paths that are not gated; wins over include", "nothing"),
    _own("max_body_bytes", "how much of a body is inspected"),
    _own(
        "max_upload_bytes",
        "how much of a multipart body, or of a body that is a file, is inspected",
    ),
    _own("body_timeout_ms", "how long a sender may take for its body, then 408"),
    _own("document_timeout_ms", "how long one uploaded document may take to be opened"),
    _own("secret", "the key of all digests", "random per process"),
    _own("trusted_proxies", "proxies whose X-Forwarded-For counts", "none"),
    _own("proxy_header", "the header in which those proxies write their clients' addresses"),
    _own("redis_url", "the store that all workers share", "none"),
    _own("store_timeout_ms", "how long the store may take"),
    _own("verdict_cache", "remember verdicts, so that a conversation pays only for what is new"),
    _own("verdict_cache_sec", "how long a verdict is remembered"),
    _own("max_in_flight", "calls to a verifier at the same time"),
    _own(
        "subject_budget",
        "calls to a verifier for one caller in a minute, two such for an address; 0 is no limit",
    ),
    _own("data_residency", "the region in which the openai adapter's provider processes", "none"),
    _own("supervisor_timeout_ms", "the time of the supervisor, apart from the verifier's"),
    _own("context_messages", "how many of the latest foreign texts a judge is shown whole"),
    _own("context_chars", "how many characters of them; what is older is summed up"),
    _own("audit_path", "where the files of the audit trail go; each process has its own", "none"),
    _own("audit_key", "the Ed25519 key that seals the audit trail", "none"),
    _own("audit_max_bytes", "from which size on another file of the audit trail begins"),
    _own("audit_keep_days", "how long files of the audit trail are kept; 0 is for ever"),
    CONFIG,
    _shared("openai_api_key", "the key for the openai adapter", "none"),
    _shared("openai_verifier_model", "the model of the openai adapter", "the adapter's own"),
    _shared("openai_base_url", "the address for the openai adapter", "the provider's own"),
    _shared("anthropic_api_key", "the key for the anthropic adapter", "none"),
    _shared("anthropic_verifier_model", "the model of the anthropic adapter", "the adapter's own"),
    _shared("anthropic_base_url", "the address for the anthropic adapter", "the provider's own"),
    _shared("azure_openai_api_key", "the key for the azure adapter", "none"),
    _shared("azure_openai_endpoint", "the resource of the azure adapter", "none"),
    _shared("azure_openai_deployment", "the deployment of the azure adapter", "none"),
    _shared("azure_openai_api_version", "the dated API of the azure adapter", "the v1 API"),
    _filed("triage_model", "the fast model of tier 2", VERIFICATION_TABLE),
    _filed("additional_patterns", "further patterns to flag", VERIFICATION_TABLE),
    _filed("additional_high_risk_tools", "further high-risk tools", VERIFICATION_TABLE),
    _filed("supervisor_model", "the capable model of tier 3", SUPERVISION_TABLE, "model"),
    _filed("rule_packs", "paths of further rule packs"),
    _filed("disabled_rules", "rule ids that are switched off"),
    _filed("severity_overrides", "other severities for rule ids"),
    _filed("block_threshold", "the score from which on a request is unsafe"),
    _filed("notice_threshold", "the score above which a request is unclear"),
    _filed("pii", "patterns of your own that are redacted, each under its name"),
    _filed("moderation_thresholds", "from which score on a moderation category is unsafe"),
    _filed("routes", "what is different on some paths; the first match applies", key="route"),
    _filed("tenants", "what is different for some tenants", key="tenant"),
)

BY_ENV: Final[Mapping[str, Name]] = {name.env: name for name in NAMES if name.env}
BY_FIELD: Final[Mapping[str, Name]] = {name.field: name for name in NAMES}
BY_TABLE: Final[Mapping[str, Mapping[str, Name]]] = {
    table: {name.key: name for name in NAMES if name.table == table}
    for table in (OWN_TABLE, VERIFICATION_TABLE, SUPERVISION_TABLE)
}

# Kubernetes and Docker announce a service called abuse-gate (or abuse-gate-redis) by variables
# that begin like ours; they are no settings of ours.
SERVICE_LINK: Final = re.compile(
    r"ABUSE_GATE_(?:[A-Z0-9_]+_)?"
    r"(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT|PORT_[A-Z0-9_]+)\Z"
    r"|ABUSE_GATE_(?:NAME|ENV_\w+)\Z"
)
