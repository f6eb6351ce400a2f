"""The audit trail that the settings ask for: a path, perhaps a key, or a sink given by hand."""

import logging

from abuse_gate.settings import Settings
from abuse_gate.telemetry.audit.files import AuditSink, FileSink
from abuse_gate.telemetry.audit.keys import signer_of
from abuse_gate.telemetry.audit.scribe import Scribe
from abuse_gate.telemetry.audit.trail import AuditTrail

_log = logging.getLogger("abuse_gate")


def audit_trail(settings: Settings, sink: AuditSink | None = None) -> AuditTrail | None:
    """The trail; None when nobody wants one. What cannot work is a ConfigError now."""
    secret, path = settings.audit_key, settings.audit_path
    signer = signer_of(secret.get_secret_value()) if secret else None
    if sink is not None:
        return AuditTrail(lambda: Scribe(sink, signer))
    if path is None:
        if signer is not None:
            _log.warning(
                "abuse-gate: ABUSE_GATE_AUDIT_KEY is set and ABUSE_GATE_AUDIT_PATH is not: "
                "nothing is put on record; name a file"
            )
        return None

    def files() -> FileSink:
        return FileSink(path, settings.audit_max_bytes, settings.audit_keep_days)

    files().check()
    # A process that was forked off has files of its own.
    return AuditTrail(lambda: Scribe(files(), signer))
