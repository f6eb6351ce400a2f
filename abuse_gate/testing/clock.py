"""A clock that moves when it is told to."""


class FakeClock:
    """Stands in wherever a `clock` is taken: call it to read it, `advance` to move it."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """The time."""
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
