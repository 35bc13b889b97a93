"""A process in which torch cannot be imported, as where it is not installed."""

import subprocess
import sys

import pytest

from tests.site import ROOT

pytestmark = pytest.mark.slow


_WITHOUT_TORCH = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")

sys.meta_path.insert(0, Blocker())

from tomahto.matching import registry
from tomahto.matching.table import model_variables
from tomahto.pretrained.files import TorchMissingError
from tomahto.pretrained.files import configure_models

configure_models({each.name: "somewhere" for each in model_variables()})
print(registry.available_matchers())
for name in ("bem", "cap"):
    try:
        registry.load_matcher(name)
    except TorchMissingError as error:
        print(name, error)
print([name for name in ("torch", "transformers") if name in sys.modules])
"""


def test_without_torch_the_other_matchers_work_and_these_say_what_is_missing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_TORCH],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    advice = (
        "this needs torch and transformers, which are not installed: call ./run with --models, "
        "or install Tomahto's extra `neural` (docs/library.md)"
    )
    assert done.stdout.splitlines()[1:] == [f"bem {advice}", f"cap {advice}", "[]"]
    assert "'bem'" not in done.stdout.splitlines()[0]
    assert "'cfmatch'" in done.stdout.splitlines()[0]
