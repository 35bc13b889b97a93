"""Which connection gives way, and how much may be promised."""

from dataclasses import dataclass, field

import pytest

from annotation_site.serving import limits
from annotation_site.serving.shares import Shares


@dataclass(eq=False)
class Connection:
    """One that remembers whether it was ended."""

    shares: Shares
    since: float | None = None
    client: str | None = None
    promised: int = 0
    is_ended: bool = field(default=False)

    def waits_since(self) -> float | None:
        return self.since

    def end(self) -> None:
        self.is_ended = True
        self.shares.leave(self)


@pytest.fixture(autouse=True)
def small_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS_OF_ONE", 3)
    monkeypatch.setattr(limits, "LARGE_BODIES_OF_ONE", 100)
    monkeypatch.setattr(limits, "LARGE_BODIES", 150)


def entered(shares: Shares, client: str | None, since: float | None) -> Connection:
    connection = Connection(shares, since)
    assert shares.enter(connection, client)
    return connection


def test_one_too_many_ends_the_one_that_is_waited_for_longest() -> None:
    shares = Shares(100)
    others = [entered(shares, "10.0.0.1", since) for since in (5.0, 3.0, None)]
    elsewhere = entered(shares, "10.0.0.2", 1.0)
    entered(shares, "10.0.0.1", 6.0)
    assert [each.is_ended for each in [*others, elsewhere]] == [False, True, False, False]


def test_there_is_no_room_where_all_are_being_answered() -> None:
    shares = Shares(100)
    for _ in range(3):
        entered(shares, "10.0.0.1", None)
    assert not shares.enter(Connection(shares), "10.0.0.1")
    entered(shares, "10.0.0.2", None)


def test_clients_that_cannot_be_told_apart_have_no_share() -> None:
    shares = Shares(100)
    connections = [entered(shares, None, float(number)) for number in range(50)]
    assert not any(each.is_ended for each in connections)


def test_when_all_are_too_many_whoever_has_most_gives_way() -> None:
    shares = Shares(3)
    few = entered(shares, "10.0.0.1", 1.0)
    many = [entered(shares, "10.0.0.2", since) for since in (2.0, 3.0)]
    newcomer = entered(shares, "10.0.0.3", 4.0)
    assert [each.is_ended for each in [few, *many, newcomer]] == [False, True, False, False]


def test_who_left_makes_room() -> None:
    shares = Shares(100)
    first, *_ = [entered(shares, "10.0.0.1", None) for _ in range(3)]
    shares.leave(first)
    shares.leave(first)
    entered(shares, "10.0.0.1", None)


def test_no_more_is_promised_than_one_client_and_all_may_have() -> None:
    shares = Shares(100)
    first, second = (entered(shares, "10.0.0.1", 0.0) for _ in range(2))
    other = entered(shares, "10.0.0.2", 0.0)
    assert [shares.promise(first, 60), shares.promise(second, 41)] == [True, False]
    assert [shares.promise(second, 40), shares.promise(other, 51)] == [True, False]
    shares.leave(first)
    assert shares.promise(other, 51)
    shares.give_back(second)
    assert second.promised == 0
