import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap import BootstrapError
from bootstrap.system import only_holder, waiting_turn

WAITER = """
import sys
from pathlib import Path
from bootstrap.system import waiting_turn
with waiting_turn(Path(sys.argv[1]), waiting="waiting"):
    print("in")
"""


def test_second_holder_is_refused_until_the_first_is_done(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with (
        only_holder(path, refusal="first"),
        pytest.raises(BootstrapError, match="in use"),
        only_holder(path, refusal="in use"),
    ):
        pytest.fail("the lock was given out twice")
    with only_holder(path, refusal="in use") as held:
        assert held is None


def test_process_started_under_the_lock_does_not_hold_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with only_holder(path, refusal="first"):
        sleeper = subprocess.Popen(["sleep", "60"], close_fds=False)
    try:
        with only_holder(path, refusal="inherited by the child"):
            assert sleeper.poll() is None
    finally:
        sleeper.kill()
        sleeper.wait()


def test_other_process_says_so_and_waits(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with waiting_turn(path, waiting="never said"):
        other = subprocess.Popen(
            [sys.executable, "-c", WAITER, str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert other.stderr is not None
        assert other.stderr.readline() == "waiting\n"
        assert other.poll() is None
    assert other.communicate(timeout=60) == ("in\n", "")
