"""So many requests a minute, also when many threads ask at once."""

from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from tests.clocks import FakeClock
from tomahto.endpoint.chat import RequestRate


class StoppedClock(FakeClock):
    """Waiting takes no time, so every turn is reckoned from the same moment."""

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)


def test_as_many_as_allowed_begin_at_once_and_the_next_waits() -> None:
    clock = FakeClock()
    rate = RequestRate(3, clock)
    for _ in range(4):
        rate.wait_turn()
    assert clock.waits == [60.0]


def test_turns_that_are_given_count_at_the_moment_they_are_for() -> None:
    clock = StoppedClock()
    rate = RequestRate(2, clock)
    for _ in range(7):
        rate.wait_turn()
    # two at 0, two at 60, two at 120, one at 180
    assert clock.waits == [60.0, 60.0, 120.0, 120.0, 180.0]


@given(st.integers(1, 5), st.lists(st.floats(0, 90), max_size=30))
def test_no_minute_sees_more_than_allowed(per_minute: int, pauses: list[float]) -> None:
    clock = FakeClock()
    rate = RequestRate(per_minute, clock)
    begun = []
    for pause in pauses:
        clock.seconds += pause
        rate.wait_turn()
        begun.append(clock.seconds)
    for first, after in zip(begun, begun[per_minute:], strict=False):
        assert after - first >= 60 - 1e-9


def test_threads_share_the_limit() -> None:
    clock = StoppedClock()
    rate = RequestRate(16, clock)
    threads = [Thread(target=rate.wait_turn) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(clock.waits) == [60.0] * 16 + [120.0] * 16 + [180.0] * 16
