"""Fakes and recorders for your own tests of an app behind the gate, or of an adapter."""

from abuse_gate.testing.adapters import RecordingObserver, ScriptedAdapter
from abuse_gate.testing.asgi import Conversation, converse
from abuse_gate.testing.clock import FakeClock
from abuse_gate.testing.contract_faults import ProviderContract
from abuse_gate.testing.contract_kit import AdapterContract
from abuse_gate.testing.contract_watch import LoopNoise, everything_logged
from abuse_gate.testing.faults import MODES, FaultyProvider
from abuse_gate.testing.faults_law import Mode
from abuse_gate.testing.faults_wire import RecordedRequest

__all__ = [
    "MODES",
    "AdapterContract",
    "Conversation",
    "FakeClock",
    "FaultyProvider",
    "LoopNoise",
    "Mode",
    "ProviderContract",
    "RecordedRequest",
    "RecordingObserver",
    "ScriptedAdapter",
    "converse",
    "everything_logged",
]
