"""Every exception class of the SDKs is in these tables: a new one fails here until it is mapped."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import anthropic as anthropic_sdk
import azure.core
import azure.identity
import httpx2
import openai as openai_sdk
import pytest
from azure.core.exceptions import AzureError, DeserializationError, SerializationError

from abuse_gate.contract import (
    ProviderBadReply,
    ProviderConnection,
    ProviderError,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
)
from abuse_gate.verify.kit.faults import FaultRows, Sense, transport_fault
from abuse_gate_adapters import anthropic
from abuse_gate_adapters import azure as azure_adapter
from abuse_gate_adapters import openai_sdk as shared

OPENAI: dict[str, Sense] = {
    "OpenAIError": ProviderMisconfigured,
    "SubjectTokenProviderError": ProviderMisconfigured,
    "MutuallyExclusiveAuthError": ProviderMisconfigured,
    "MissingDependencyError": ProviderMisconfigured,
    "StreamAlreadyConsumed": ProviderMisconfigured,
    "APIRemovedInV1": ProviderMisconfigured,
    "_AmbiguousModuleClientUsageError": ProviderMisconfigured,
    "APIError": ProviderBadReply,
    "APIResponseValidationError": ProviderBadReply,
    "APIStatusError": "status",
    "BadRequestError": "status",
    "AuthenticationError": "status",
    "OAuthError": "status",
    "PermissionDeniedError": "status",
    "NotFoundError": "status",
    "ConflictError": "status",
    "UnprocessableEntityError": "status",
    "RateLimitError": "status",
    "InternalServerError": "status",
    "APIConnectionError": "cause",
    "APITimeoutError": "cause",
    "LengthFinishReasonError": ProviderBadReply,
    "ContentFilterFinishReasonError": ProviderRefused,
    "WebSocketConnectionClosedError": ProviderBadReply,
    "WebSocketQueueFullError": ProviderBadReply,
}
ANTHROPIC: dict[str, Sense] = {
    "AnthropicError": ProviderMisconfigured,
    "CredentialsError": ProviderMisconfigured,
    "IdentityTokenFileError": ProviderMisconfigured,
    "WorkloadIdentityError": ProviderMisconfigured,
    "MutuallyExclusiveAuthError": ProviderMisconfigured,
    "MissingDependencyError": ProviderMisconfigured,
    "StreamAlreadyConsumed": ProviderMisconfigured,
    "RetryableError": ProviderConnection,
    "APIError": ProviderBadReply,
    "APIResponseValidationError": ProviderBadReply,
    "APIWebhookValidationError": ProviderBadReply,
    "APIStatusError": "status",
    "APIConnectionError": "cause",
    "APITimeoutError": "cause",
}
AZURE: dict[str, Sense] = {
    "ClientAuthenticationError": ProviderMisconfigured,
    "CredentialUnavailableError": ProviderMisconfigured,
    "AuthenticationRequiredError": ProviderMisconfigured,
    "ServiceRequestError": ProviderConnection,
    "ServiceResponseError": ProviderConnection,
    "ServiceRequestTimeoutError": ProviderTimeout,
    "ServiceResponseTimeoutError": ProviderTimeout,
    "HttpResponseError": ProviderUnavailable,
    "DecodeError": ProviderBadReply,
    "IncompleteReadError": ProviderBadReply,
    "ResourceExistsError": ProviderMisconfigured,
    "ResourceNotFoundError": ProviderMisconfigured,
    "ResourceModifiedError": ProviderMisconfigured,
    "ResourceNotModifiedError": ProviderMisconfigured,
    "TooManyRedirectsError": ProviderUnavailable,
    "ODataV4Error": ProviderUnavailable,
    "StreamConsumedError": ProviderBadReply,
    "StreamClosedError": ProviderBadReply,
    "ResponseNotReadError": ProviderBadReply,
    "SerializationError": ProviderBadReply,
    "DeserializationError": ProviderBadReply,
}
# Abstract: never raised by itself, and without a row so that a new branch under it is noticed.
ABSTRACT = {"AzureError"}


def family(root: type[Exception]) -> Iterator[type[Exception]]:
    yield root
    for child in root.__subclasses__():
        yield from family(child)


def sense_of(kind: type[Exception], rows: FaultRows) -> Sense | None:
    return next((sense for row, sense in rows if issubclass(kind, row)), None)


def load_all(package: ModuleType, skip: tuple[str, ...] = ()) -> None:
    """Imports what may define exceptions, but for modules whose own extras are missing."""
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if found.name.rpartition(".")[2] not in skip:
            try:
                importlib.import_module(found.name)
            except (ImportError, openai_sdk.OpenAIError):
                continue


def defined(roots: tuple[type[Exception], ...], top: str) -> set[type[Exception]]:
    return {kind for root in roots for kind in family(root) if kind.__module__.startswith(top)}


WALKS: list[tuple[ModuleType, tuple[type[Exception], ...], str, FaultRows, dict[str, Sense]]] = [
    (openai_sdk, (openai_sdk.OpenAIError,), "openai", shared.SDK_FAULTS, OPENAI),
    (
        azure.core,
        (AzureError, SerializationError, DeserializationError),
        "azure",
        azure_adapter.FAULTS,
        AZURE,
    ),
    (azure.identity, (AzureError,), "azure", azure_adapter.FAULTS, AZURE),
]


@pytest.mark.parametrize(("package", "roots", "top", "rows", "expected"), WALKS)
def test_every_exception_of_an_sdk_has_its_row(
    package: ModuleType,
    roots: tuple[type[Exception], ...],
    top: str,
    rows: FaultRows,
    expected: dict[str, Sense],
) -> None:
    load_all(package, skip=("cli", "__main__"))
    found = {kind.__name__: sense_of(kind, rows) for kind in defined(roots, top)}
    for name in ABSTRACT:
        found.pop(name, None)
    assert len(found) >= 15
    assert found == {name: expected.get(name) for name in found}


def test_every_exception_of_anthropic_has_its_row() -> None:
    """Its errors with a code are many, generated, and all carry a status; tools are not used."""
    load_all(anthropic_sdk)
    kinds = defined((anthropic_sdk.AnthropicError,), "anthropic")
    assert len(kinds) >= 25
    for kind in kinds:
        if ".lib.tools." in kind.__module__:
            continue
        carries_status = issubclass(kind, anthropic_sdk.APIStatusError)
        expected = "status" if carries_status else ANTHROPIC[kind.__name__]
        assert sense_of(kind, anthropic.FAULTS) == expected, kind.__name__


def test_the_azure_adapter_knows_all_that_its_openai_sdk_raises() -> None:
    assert azure_adapter.FAULTS[: len(shared.SDK_FAULTS)] == shared.SDK_FAULTS


def test_every_exception_of_the_transport_has_its_row() -> None:
    roots = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.CookieConflict, httpx2.StreamError)
    kinds = defined(roots, "httpx2")
    assert len(kinds) >= 20
    for kind in kinds:
        blank: Any = kind.__new__(kind)
        mapped = transport_fault(blank)
        assert mapped is not None
        assert issubclass(mapped, ProviderError), kind.__name__


def test_an_invalid_webhook_signature_is_mapped_though_it_is_no_openai_error() -> None:
    assert sense_of(openai_sdk.InvalidWebhookSignatureError, shared.SDK_FAULTS) is ProviderBadReply
