"""The review kit: the demo's traffic with telemetry on, and back ends to look at it in."""
