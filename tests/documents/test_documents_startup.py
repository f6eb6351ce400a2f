"""What the package loads when, and what an operator is told about missing parsers."""

import logging

import pytest

import abuse_gate
from abuse_gate import Settings, build_gate
from abuse_gate.asgi.lifespan import announce


def test_every_public_name_is_there_and_no_other() -> None:
    assert set(abuse_gate.__all__) <= set(dir(abuse_gate))
    for name in abuse_gate.__all__:
        assert getattr(abuse_gate, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Gatee'"):
        getattr(abuse_gate, "Gatee")  # noqa: B009 - a name that a type checker would refuse


def test_missing_parsers_are_one_warning_with_the_cure(caplog: pytest.LogCaptureFixture) -> None:
    gate = build_gate(Settings())
    with caplog.at_level(logging.WARNING, "abuse_gate"):
        announce(gate, twice=False, missing=("pypdf", "pypdfium2"))
        announce(gate, twice=False)
    (record,) = caplog.records
    assert "pypdf and pypdfium2" in record.getMessage()
    assert "pip install 'abuse-gate[documents]'" in record.getMessage()
