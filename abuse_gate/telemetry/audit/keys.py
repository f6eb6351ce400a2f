"""Ed25519 keys of the audit trail, by the `cryptography` package: made, read, used.

A key is 32 bytes in base64 or hex, private and public alike.
"""

import base64
import binascii
from typing import TYPE_CHECKING, Final

from abuse_gate.contract import ConfigError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_BYTES: Final = 32
_HEX_DIGITS: Final = 2 * _BYTES
VARIABLE: Final = "ABUSE_GATE_AUDIT_KEY"
_DOMAIN: Final = b"abuse-gate audit seal 1\n"
# The command line says the same, whatever variable is set.
MISSING: Final = (
    "sealing, and checking seals, needs the package cryptography; run: "
    "pip install 'abuse-gate[audit]'"
)


class Signer:
    """Signs heads with a private key; `public` is what others verify with."""

    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key
        self.public = _text(key.public_key().public_bytes_raw())

    def sign(self, head: str) -> str:
        """The signature over a head."""
        return _text(self._key.sign(_DOMAIN + head.encode()))


def signer_of(secret: str) -> Signer:
    """The signer behind what an operator configured, or a ConfigError that names the cure."""
    try:
        # Here, not above: it is an extra.
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ImportError:
        raise ConfigError(f"{VARIABLE}: {MISSING}") from None
    raw = raw_key(secret)
    if raw is None:
        raise ConfigError(
            f"{VARIABLE}: not an Ed25519 key (32 bytes in base64 or hex); "
            "make one: abuse-gate audit keygen"
        )
    return Signer(ed25519.Ed25519PrivateKey.from_private_bytes(raw))


def new_key() -> tuple[str, str]:
    """A fresh private key and its public one."""
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - an extra

    key = ed25519.Ed25519PrivateKey.generate()
    return _text(key.private_bytes_raw()), _text(key.public_key().public_bytes_raw())


def is_signed(head: str, signature: str, public: str) -> bool:
    """Whether the owner of a public key has signed this head."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - an extra
    from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415

    key = raw_key(public)
    if key is None:
        return False
    try:
        made = base64.b64decode(signature, validate=True)
        ed25519.Ed25519PublicKey.from_public_bytes(key).verify(made, _DOMAIN + head.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def raw_key(text: str) -> bytes | None:
    """The 32 bytes of a key in base64 or hex; None when it is neither."""
    text = text.strip()
    try:
        raw = bytes.fromhex(text) if len(text) == _HEX_DIGITS else _unbase(text)
    except (ValueError, binascii.Error):
        return None
    return raw if len(raw) == _BYTES else None


def _unbase(text: str) -> bytes:
    plain = text.replace("-", "+").replace("_", "/")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
