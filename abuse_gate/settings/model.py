"""The settings as frozen values, and the law of every one of them.

Knows no environment and no file. `load_settings` is the door for people: it turns what pydantic
would say into one teaching line. Built directly, a wrong value raises pydantic's own error, with
the value left out of its text.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator
from pydantic.fields import FieldInfo

from abuse_gate.model.decision import Action
from abuse_gate.settings.kinds import (
    Adapter,
    ApiKey,
    Choice,
    Foreign,
    Kind,
    Number,
    Secret,
    Switch,
    Text,
    Whole,
    refusal,
)
from abuse_gate.settings.places import (
    Glob,
    Globs,
    Network,
    Networks,
    Patterns,
    RedisUrl,
    Strings,
    Tables,
    Url,
    Weights,
)

Enforcement = Literal["enforce", "monitor"]
Plan = Literal["standard", "thrifty", "paranoid"]
HeaderSet = Literal["full", "minimal"]
WireRoles = Literal["claimed", "trusted"]
ToolRisk = Literal["high", "low"]
PiiRuleset = Literal["default", "hipaa", "ferpa", "custom"]
OnOff = Literal["on", "off"]
VerdictMemory = Literal["off", "memory", "redis"]
ProxyHeader = Literal["x-forwarded-for", "forwarded"]

_Enforcement = Annotated[Enforcement, Choice(get_args(Enforcement))]
_Action = Annotated[Action, Choice(get_args(Action))]
_Plan = Annotated[Plan, Choice(get_args(Plan))]
_WireRoles = Annotated[WireRoles, Choice(get_args(WireRoles))]
_PiiRuleset = Annotated[PiiRuleset, Choice(get_args(PiiRuleset))]
_OnOff = Annotated[OnOff, Switch()]
_Millis = Annotated[int, Whole(1, 600_000)]
_Bytes = Annotated[int, Whole(1024, 100 * 1024 * 1024)]
# A week.
_LONG: Final = 604_800
_Seconds = Annotated[float, Number(1, _LONG)]
_Strikes = Annotated[int, Whole(1, 60)]
_Threshold = Annotated[int, Whole(1, 10_000)]
_Strings = Annotated[tuple[str, ...], Strings()]
_Weights = Annotated[Mapping[str, Annotated[int, Whole(0, 1000)]], Weights()]
_Patterns = Annotated[Mapping[str, str], Patterns()]
_Scores = Annotated[
    Mapping[str, Annotated[float, Number(0, 1)]],
    Weights("a table of moderation categories with a score from 0 to 1 each"),
]
_Globs = Annotated[tuple[str, ...], Globs()]
_DigestKey = Annotated[SecretStr, Secret(16)]
_ModelName = Annotated[str, Text("the name of a model")]
_ForeignText = Annotated[str, Foreign()]
_ForeignKey = Annotated[SecretStr, Foreign()]

# The variables that other tools read too: their law holds only while their adapter is selected.
PROVIDER_LAWS: Final[Mapping[str, Mapping[str, Kind]]] = {
    "openai": {
        "openai_api_key": ApiKey(),
        "openai_verifier_model": Text("the name of a model"),
        "openai_base_url": Url(),
    },
    "anthropic": {
        "anthropic_api_key": ApiKey(),
        "anthropic_verifier_model": Text("the name of a model"),
        "anthropic_base_url": Url(),
    },
    "azure": {
        "azure_openai_api_key": ApiKey(),
        "azure_openai_endpoint": Url(),
        "azure_openai_deployment": Text("the name of the deployment"),
        "azure_openai_api_version": Text("a version such as 2026-06-01"),
    },
}


class Route(BaseModel):
    """What is different on the paths that one glob matches; whatever is unset stays global."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    path: Annotated[str, Glob()]
    mode: _Enforcement | None = None
    on_unclear: _Action | None = None
    on_unread: _Action | None = None
    plan: _Plan | None = None
    wire_roles: _WireRoles | None = None
    pii_ruleset: _PiiRuleset | None = None
    disabled_rules: _Strings | None = None
    severity_overrides: _Weights | None = None


class Tenant(BaseModel):
    """What is different for one tenant of the app; its name is what the app's resolver returns."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: Annotated[str, Text("the name of the tenant")]
    model: _ModelName | None = None
    endpoint: Annotated[str, Url()] | None = Field(default=None, repr=False)
    api_version: Annotated[str, Text("a version such as 2026-06-01")] | None = None
    data_residency: Annotated[str, Text("a region that the provider names")] | None = None
    api_key: Annotated[SecretStr, ApiKey()] | None = None
    strike_window_sec: _Seconds | None = None
    lock_after: _Strikes | None = None
    lock_sec: _Seconds | None = None
    quarantine_after: _Strikes | None = None
    quarantine_sec: _Seconds | None = None


class Settings(BaseModel):
    """Everything an operator can choose, read once at start-up and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    verifier_adapter: Annotated[str, Adapter()] = "none"
    verifier_timeout_ms: _Millis = 1500
    verifier_max_retries: Annotated[int, Whole(0, 5)] = 1
    verifier_circuit_open_sec: Annotated[float, Number(1, 86_400)] = 60.0

    mode: _Enforcement = "enforce"
    on_unclear: _Action = "allow"
    on_unread: _Action = "clarify"
    plan: _Plan = "standard"
    strikes: _OnOff = "on"
    strike_window_sec: _Seconds = 600.0
    strike_decay_sec: Annotated[float, Number(0, _LONG)] = 0.0
    lock_after: _Strikes = 3
    lock_sec: _Seconds = 3600.0
    quarantine_after: _Strikes = 5
    quarantine_sec: _Seconds = 21600.0
    headers: Annotated[HeaderSet, Choice(get_args(HeaderSet))] = "full"
    wire_roles: _WireRoles = "claimed"
    unknown_tools: Annotated[ToolRisk, Choice(get_args(ToolRisk))] = "high"
    triage_model_embedded: _OnOff = "on"
    pii_ruleset: _PiiRuleset = "default"
    include: _Globs = ()
    exclude: _Globs = ()
    max_body_bytes: _Bytes = 1_048_576
    max_upload_bytes: _Bytes = 10_485_760
    body_timeout_ms: _Millis = 30_000
    document_timeout_ms: _Millis = 5000
    secret: _DigestKey | None = None
    trusted_proxies: Annotated[tuple[Network, ...], Networks()] = ()
    proxy_header: Annotated[ProxyHeader, Choice(get_args(ProxyHeader))] = "x-forwarded-for"
    redis_url: Annotated[SecretStr, RedisUrl()] | None = None
    store_timeout_ms: _Millis = 50
    verdict_cache: Annotated[VerdictMemory, Choice(get_args(VerdictMemory))] = "off"
    verdict_cache_sec: _Seconds = 3600.0
    max_in_flight: Annotated[int, Whole(1, 10_000)] = 64
    subject_budget: Annotated[int, Whole(0, 100_000)] = 0
    data_residency: Annotated[str, Text("a region that the provider names")] | None = None
    supervisor_timeout_ms: _Millis = 5000
    context_messages: Annotated[int, Whole(1, 30)] = 20
    context_chars: Annotated[int, Whole(1000, 1_000_000)] = 32_000
    audit_path: Annotated[str, Text("the path of a file")] | None = None
    audit_key: (
        Annotated[SecretStr, Secret(16, "a key that `abuse-gate audit keygen` made")] | None
    ) = None
    audit_max_bytes: Annotated[int, Whole(4096, 1024 * 1024 * 1024)] = 67_108_864
    audit_keep_days: Annotated[int, Whole(0, 36_500)] = 0

    triage_model: _ModelName | None = None
    additional_patterns: _Strings = ()
    additional_high_risk_tools: _Strings = ()
    rule_packs: _Strings = ()
    supervisor_model: _ModelName | None = None
    disabled_rules: _Strings = ()
    severity_overrides: _Weights = {}
    block_threshold: _Threshold = 100
    notice_threshold: _Threshold = 50
    pii: _Patterns = {}
    routes: Annotated[tuple[Route, ...], Tables("route")] = ()
    tenants: Annotated[tuple[Tenant, ...], Tables("tenant")] = ()
    moderation_thresholds: _Scores = {}

    # An address may carry a password, so no repr shows one.
    openai_api_key: _ForeignKey | None = None
    openai_verifier_model: _ForeignText | None = None
    openai_base_url: _ForeignText | None = Field(default=None, repr=False)
    anthropic_api_key: _ForeignKey | None = None
    anthropic_verifier_model: _ForeignText | None = None
    anthropic_base_url: _ForeignText | None = Field(default=None, repr=False)
    azure_openai_api_key: _ForeignKey | None = None
    azure_openai_endpoint: _ForeignText | None = Field(default=None, repr=False)
    azure_openai_deployment: _ForeignText | None = None
    azure_openai_api_version: _ForeignText | None = None
    # PROVIDER_VARIABLE__TENANT in the environment: tenant -> field -> text.
    tenant_variables: Mapping[str, Mapping[str, str]] = Field(default={}, repr=False)

    @model_validator(mode="after")
    def _thresholds_in_order(self) -> Self:
        if self.notice_threshold < self.block_threshold:
            return self
        raise refusal(
            f"the notice threshold ({self.notice_threshold}) must lie below the block threshold "
            f"({self.block_threshold}); lower the one or raise the other",
            fields=("notice_threshold", "block_threshold"),
        )

    @model_validator(mode="after")
    def _ladder_goes_up(self) -> Self:
        own = [(tenant.lock_after, tenant.quarantine_after) for tenant in self.tenants]
        for lock, quarantine in ((None, None), *own):
            if (lock or self.lock_after) > (quarantine or self.quarantine_after):
                raise refusal(
                    "execute_locked must not need more strikes than full_quarantine; "
                    "lower lock_after or raise quarantine_after",
                    fields=("lock_after", "quarantine_after"),
                )
        return self

    @model_validator(mode="after")
    def _selected_provider_is_sound(self) -> Self:
        for field, kind in PROVIDER_LAWS.get(self.verifier_adapter, {}).items():
            value = getattr(self, field)
            if value is not None:
                kind.check(value, (field,))
        return self


def kind_of(field: FieldInfo) -> Kind:
    """The law that a field was declared with."""
    marks = [*field.metadata, *(mark for arm in get_args(field.annotation) for mark in _marks(arm))]
    return next(mark for mark in marks if isinstance(mark, Kind))


def _marks(arm: object) -> tuple[object, ...]:
    return getattr(arm, "__metadata__", ())
