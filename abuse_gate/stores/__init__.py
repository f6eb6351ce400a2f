"""Where strikes and verdicts are remembered: in this process, or in a Redis that all share."""
