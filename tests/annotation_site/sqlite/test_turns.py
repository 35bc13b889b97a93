"""The line of writers: first come, first served, and nobody waits for ever."""

import os
import threading
from collections.abc import Callable

from annotation_site.sqlite import turns
from annotation_site.sqlite.turns import Turns, turns_at

LONG = 30.0  # seconds, of which none is waited


def started(wait: Callable[[], object], line: Turns, *, waiting: int) -> threading.Thread:
    """A thread that stands in the line by now."""
    thread = threading.Thread(target=wait)
    thread.start()
    while len(line._waiting) < waiting:
        pass
    return thread


def test_who_came_first_is_served_first() -> None:
    line, served = Turns(), []
    assert line.take(0)

    def serve(number: int) -> None:
        assert line.take(LONG)
        served.append(number)
        line.give_back()

    threads = [
        started(lambda number=number: serve(number), line, waiting=number + 1)  # type: ignore[misc]
        for number in range(5)
    ]
    line.give_back()
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2, 3, 4]
    assert line.take(0)


def test_who_has_waited_long_enough_goes_and_holds_nobody_up() -> None:
    line = Turns()
    assert line.take(0)
    assert not line.take(0.01)
    line.give_back()
    assert line.take(0)


def test_a_turn_is_given_to_one_alone() -> None:
    line = Turns()
    assert line.take(0)
    assert not line.take(0)


def test_there_is_one_line_for_each_database() -> None:
    assert turns_at("one") is turns_at("one")
    assert turns_at("one") is not turns_at("another")


def test_a_forked_process_has_a_line_of_its_own() -> None:
    line = turns_at("forked")
    assert line.take(0)
    child = os.fork()
    if child == 0:
        os._exit(0 if turns_at("forked").take(0) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    line.give_back()
    turns._turns.pop("forked")
