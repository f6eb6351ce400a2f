"""An address goes as far as a quarantine only where the app has said who its user is."""

import pytest

from abuse_gate.asgi.callers import Callers
from abuse_gate.model.caller import Caller
from abuse_gate.model.standing import FREE, Offence
from abuse_gate.remembering import Kept, strikes_of
from abuse_gate.settings import Settings
from abuse_gate.testing import RecordingObserver
from abuse_gate.testing.asgi import http_scope


@pytest.mark.parametrize(
    ("user", "proxies", "mode"),
    [
        (None, "", "execute_locked"),
        ("", "", "execute_locked"),
        ("alice", "", "full_quarantine"),
        (None, "10.0.0.0/8", "full_quarantine"),
    ],
)
async def test_a_resolver_that_names_nobody_uncaps_no_address(
    user: str | None, proxies: str, mode: str
) -> None:
    settings = Settings.model_validate({"trusted_proxies": proxies})
    strikes = strikes_of(settings, RecordingObserver(), Kept())
    assert strikes is not None
    caller = await Callers(b"k", None, subject=lambda _: user).of(http_scope(client=("1.2.3.4", 1)))
    for n in range(settings.quarantine_after):
        await strikes.record_unsafe(caller, Offence((f"m{n}",)), "", FREE)
    found = await strikes.standing(Caller(address=caller.address))
    assert found.mode == mode
