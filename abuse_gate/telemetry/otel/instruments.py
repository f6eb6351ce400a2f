"""The instruments of one meter provider, made once, with labels from bounded sets.

Gauges are asked for when somebody reads them: whoever has a number to show registers for it.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from opentelemetry.metrics import CallbackOptions, Meter, MeterProvider, Observation

from abuse_gate.telemetry.otel.names import INSTRUMENTS, SCOPE, Instrument
from abuse_gate.telemetry.version import PACKAGE_VERSION

OTHER: Final = "other"
# An app has a few hundred routes at most; what is beyond counts together.
MOST_VALUES: Final = 256

# What a gauge shows: its labels and its number. None when there is nothing left to show.
Reading = Callable[[], tuple[Mapping[str, str], float] | None]


class Bounded:
    """Values of one label: the first so many stand for themselves, all others are `other`."""

    def __init__(self, most: int = MOST_VALUES) -> None:
        self._most = most
        self._seen: set[str] = set()

    def __call__(self, value: str | None) -> str:
        """The value, or `other`."""
        if not value:
            return OTHER
        if value not in self._seen:
            if len(self._seen) >= self._most:
                return OTHER
            self._seen.add(value)
        return value


class Instruments:
    """All instruments on one meter, by name."""

    def __init__(self, provider: MeterProvider) -> None:
        self._readings: dict[str, list[Reading]] = {}
        meter = provider.get_meter(SCOPE, PACKAGE_VERSION)
        self._made = {name: self._make(meter, name, law) for name, law in INSTRUMENTS.items()}
        self._labels = {label: Bounded() for law in INSTRUMENTS.values() for label in law.labels}

    def add(self, name: str, amount: float = 1, **labels: str | None) -> None:
        """Counts something."""
        self._made[name].add(amount, self._bounded(labels))

    def time(self, name: str, amount: float, **labels: str | None) -> None:
        """Puts a number into a histogram."""
        self._made[name].record(amount, self._bounded(labels))

    def show(self, name: str, reading: Reading) -> None:
        """Have a gauge ask this whenever it is read."""
        self._readings[name].append(reading)

    def _bounded(self, labels: Mapping[str, str | None]) -> dict[str, str]:
        # Labels of the conventions have dots in their names, which keywords cannot.
        named = ((label.replace("__", "."), value) for label, value in labels.items())
        return {label: self._labels[label](value) for label, value in named}

    def _make(self, meter: Meter, name: str, law: Instrument) -> Any:
        if law.kind == "counter":
            return meter.create_counter(name, law.unit, law.meaning)
        if law.kind == "gauge":
            readings = self._readings.setdefault(name, [])
            return meter.create_observable_gauge(
                name, [lambda options: _read(readings, options)], law.unit, law.meaning
            )
        return meter.create_histogram(
            name, law.unit, law.meaning, explicit_bucket_boundaries_advisory=law.buckets
        )


def _read(readings: Sequence[Reading], _options: CallbackOptions) -> Iterable[Observation]:
    """One observation for each set of labels: what several gates show is added up."""
    sums: dict[tuple[tuple[str, str], ...], float] = {}
    for shown in [reading() for reading in tuple(readings)]:
        if shown is not None:
            key = tuple(sorted(shown[0].items()))
            sums[key] = sums.get(key, 0.0) + shown[1]
    return [Observation(value, dict(key)) for key, value in sums.items()]


_lock: Final = threading.Lock()
_by_provider: Final[WeakKeyDictionary[MeterProvider, Instruments]] = WeakKeyDictionary()


def instruments_of(provider: MeterProvider) -> Instruments:
    """The instruments on a provider: one set for all gates of a process."""
    with _lock:
        found = _by_provider.get(provider)
        if found is None:
            found = _by_provider[provider] = Instruments(provider)
        return found
