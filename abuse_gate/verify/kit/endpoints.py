"""Which addresses a prompt may be sent to: https, or plain http to this machine alone."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from abuse_gate.contract import ConfigError


def checked_endpoint(endpoint: str, setting: str) -> str:
    """The address without its last slash; a ConfigError when a text could be read on its way."""
    try:
        parts = urlsplit(endpoint)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ConfigError(f"{setting}: not an address; write it like https://host/path") from None
    if parts.username is not None or parts.query or parts.fragment or not host:
        raise ConfigError(
            f"{setting}: needs a host and no user, query or fragment; "
            "write it like https://host/path and keep keys in the key variable"
        )
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host)):
        return endpoint.rstrip("/")
    raise ConfigError(f"{setting}: plain http is for loopback only; write https://")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
