"""A clock for tests: time passes when it is waited for, and never by itself."""

from dataclasses import dataclass, field


@dataclass
class FakeClock:
    """Starts at noon on 1 January 2026, UTC. `step` passes with every look at it."""

    seconds: float = 0.0
    step: float = 0.0
    waits: list[float] = field(default_factory=list)

    def now(self) -> float:
        self.seconds += self.step
        return self.seconds

    def wall(self) -> float:
        return 1_767_268_800.0 + self.seconds

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds
