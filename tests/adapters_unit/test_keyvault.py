"""Key Vault through the real SDK, over a transport that answers as the vault does."""

import json
from typing import Any, Self

import pytest
from azure.core.credentials import AccessToken
from azure.core.exceptions import HttpResponseError
from azure.core.pipeline.transport import AsyncHttpTransport
from azure.core.rest import HttpRequest
from azure.core.rest._http_response_impl_async import AsyncHttpResponseImpl

from abuse_gate.verify.secrets import CachedSecrets
from abuse_gate_adapters.keyvault import KeyVaultSecrets

URL = "https://acme.vault.azure.net"
CHALLENGE = 'Bearer authorization="https://login.example/t", resource="https://vault.azure.net"'


class Identity:
    async def get_token(self, *scopes: str, **_options: Any) -> AccessToken:
        return AccessToken("token", 4_000_000_000)

    async def close(self) -> None: ...

    async def __aexit__(self, *_details: object) -> None: ...


class Vault(AsyncHttpTransport[Any, Any]):
    """Challenges first, as the vault does; then looks the name up."""

    def __init__(self, known: dict[str, str], status: int = 200) -> None:
        self.known = known
        self.status = status
        self.paths: list[str] = []
        self.closed = 0

    async def send(self, request: HttpRequest, **_options: Any) -> Any:
        if "Authorization" not in request.headers:
            return self._reply(request, 401, {}, {"WWW-Authenticate": CHALLENGE})
        path = request.url.split("?", maxsplit=1)[0].removeprefix(URL)
        self.paths.append(path)
        name = path.split("/")[2]
        if self.status != 200:
            return self._reply(request, self.status, {"error": {"code": "Sealed", "message": "no"}})
        if name not in self.known:
            return self._reply(request, 404, {"error": {"code": "SecretNotFound", "message": "?"}})
        found: dict[str, Any] = {
            "value": self.known[name],
            "id": f"{URL}/secrets/{name}/1",
            "attributes": {},
        }
        return self._reply(request, 200, found)

    def _reply(
        self, request: HttpRequest, status: int, body: Any, headers: dict[str, str] | None = None
    ) -> Any:
        given = {"Content-Type": "application/json", **(headers or {})}
        reply = AsyncHttpResponseImpl(
            request=request,
            internal_response=None,
            status_code=status,
            reason="",
            content_type="application/json",
            headers=given,
            stream_download_generator=None,
        )
        vars(reply)["_content"] = json.dumps(body).encode()
        return reply

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_details: object) -> None:
        self.closed += 1


def secrets(vault: Vault) -> KeyVaultSecrets:
    return KeyVaultSecrets(URL, Identity(), transport=vault, retry_total=0)


async def test_a_secret_is_found_under_a_name_without_underscores() -> None:
    vault = Vault({"OPENAI-API-KEY--ACME": "sk-acme"})
    keys = secrets(vault)
    assert await keys.secret("OPENAI_API_KEY__ACME") == "sk-acme"
    assert await keys.secret("OPENAI_API_KEY") is None
    assert vault.paths[0].startswith("/secrets/OPENAI-API-KEY--ACME")
    await keys.aclose()
    await keys.aclose()
    assert vault.closed == 1


async def test_a_vault_that_fails_is_the_caches_affair() -> None:
    vault = Vault({"K": "good"})
    cached = CachedSecrets(secrets(vault))
    assert await cached.secret("K") == "good"
    vault.status = 403
    with pytest.raises(HttpResponseError):
        await secrets(vault).secret("K")
    assert await cached.secret("K") == "good"
