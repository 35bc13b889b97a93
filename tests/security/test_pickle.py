"""Nothing that the site reads can be a program: no pickle in messages, model files or code."""

import base64
import pickle
import re
from pathlib import Path

import pytest
from kombu.exceptions import ContentDisallowed
from kombu.serialization import dumps, loads

from annotation_site.celery import app
from tests.site import ROOT
from tomahto.pretrained.files import ModelFilesError, model_folder

ROOMS = ("annotation_site", "tasks", "exporters", "tomahto")
# bandit knows pickle, dill and shelve, eval and exec, and what yaml, torch and pandas have
_UNKNOWN_TO_BANDIT = re.compile(
    r"^\s*(?:import|from) (?:marshal|joblib|cloudpickle|_pickle)\b"
    r"|\ballow_pickle=True|(?<![.\w])(?:compile|__import__)\(",
    re.MULTILINE,
)


class Canary:
    """Makes a file where its pickle is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_no_module_reads_what_could_run() -> None:
    found = [
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if _UNKNOWN_TO_BANDIT.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    ["import joblib.numpy_pickle", "np.load(path, allow_pickle=True)", "  from marshal import load",
     "import cloudpickle as c", "run(compile(code))", "__import__(name)"],
)  # fmt: skip
def test_reading_what_could_run_is_noticed(code: str) -> None:
    assert _UNKNOWN_TO_BANDIT.search(code)


def test_workers_refuse_a_message_that_is_a_pickle(tmp_path: Path) -> None:
    """The guard is `accept`: the same message is read where it allows pickles."""
    canary = tmp_path / "canary"
    content = base64.b64encode(pickle.dumps(Canary(canary))).decode()
    message = (base64.b64decode(content), "application/x-python-serialize", "binary")
    with pytest.raises(ContentDisallowed):
        loads(*message, accept=app.conf.accept_content)
    assert not canary.exists()
    loads(*message, accept={"application/x-python-serialize"})
    assert canary.exists()


def test_messages_and_results_are_json_alone() -> None:
    assert list(app.conf.accept_content) == ["json"]
    assert (app.conf.task_serializer, app.conf.result_serializer) == ("json", "json")
    assert dumps({}, serializer=app.conf.task_serializer)[0] == "application/json"


@pytest.mark.parametrize(
    "name", ["pytorch_model.bin", "model.pt", "model.pth", "model.pkl", "model.joblib", "m.ckpt"]
)
def test_weights_that_are_a_pickle_are_never_read(tmp_path: Path, name: str) -> None:
    canary = tmp_path / "canary"
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / name).write_bytes(pickle.dumps(Canary(canary)))
    with pytest.raises(ModelFilesError):
        model_folder(str(folder))
    assert not canary.exists()
