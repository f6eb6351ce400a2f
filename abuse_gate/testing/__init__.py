"""Fakes and recorders for your own tests of an app behind the gate, or of an adapter."""

from abuse_gate.testing.adapters import RecordingObserver, ScriptedAdapter
from abuse_gate.testing.asgi import Conversation, converse
from abuse_gate.testing.clock import FakeClock

__all__ = ["Conversation", "FakeClock", "RecordingObserver", "ScriptedAdapter", "converse"]
