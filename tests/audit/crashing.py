"""A process that keeps an audit trail until it is killed: python -m tests.audit.crashing PATH.

Every head that is mirrored goes to standard output at once, as a log elsewhere would keep it.
"""

import sys
import time

from abuse_gate.telemetry.audit.chain import Head
from abuse_gate.telemetry.audit.files import FileSink
from abuse_gate.telemetry.audit.keys import signer_of
from abuse_gate.telemetry.audit.scribe import Rhythm, Scribe
from abuse_gate.telemetry.audit.trail import AuditTrail
from tests.audit.trails import decided


def main(path: str, key: str) -> None:
    """Records decisions as fast as they are written."""

    def mirror(head: Head) -> None:
        sys.stdout.write(f"{head}\n")
        sys.stdout.flush()

    def scribe() -> Scribe:
        rhythm = Rhythm(seal_seconds=0.02, seal_records=50, sync_seconds=0.01)
        return Scribe(FileSink(path, 60_000), signer_of(key), rhythm, mirror)

    trail = AuditTrail(scribe, most_waiting=200)
    number = 0
    while True:
        trail.record(decided(number))
        number += 1
        if number % 20 == 0:
            time.sleep(0.001)


if __name__ == "__main__":
    main(*sys.argv[1:])
