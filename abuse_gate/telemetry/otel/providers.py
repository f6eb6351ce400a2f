"""Whether an app has set OpenTelemetry up: the API has no public question for it."""

from typing import Final

# What the API hands out until somebody sets a provider, and what drops everything for good.
DORMANT: Final = frozenset(
    {
        ("opentelemetry.trace", "ProxyTracerProvider"),
        ("opentelemetry.trace", "NoOpTracerProvider"),
        ("opentelemetry.metrics._internal", "_ProxyMeterProvider"),
        ("opentelemetry.metrics._internal", "NoOpMeterProvider"),
    }
)


def is_dormant(provider: object) -> bool:
    """Whether a provider would drop whatever it is given."""
    kind = type(provider)
    return (kind.__module__, kind.__name__) in DORMANT
