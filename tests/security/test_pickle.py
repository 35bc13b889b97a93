"""Nothing that the site reads can be a program: no pickle in messages, model files or code."""

import ast
import base64
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu.exceptions import ContentDisallowed
from kombu.serialization import dumps, loads

from annotation_site.celery import app
from tests.site import ROOT
from tomahto.pretrained.errors import ModelFilesError
from tomahto.pretrained.files import model_folder

ROOMS = ("annotation_site", "tasks", "exporters", "tomahto")
_MODULES = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle"}
_CALLS = {"eval", "exec", "compile", "__import__"}
_METHODS = {
    *{("yaml", name) for name in ("load", "load_all", "unsafe_load", "full_load")},
    *{("torch", "load"), ("np", "load"), ("numpy", "load"), ("pd", "read_pickle")},
    *{("joblib", "load"), ("pandas", "read_pickle")},
}
_SAFE_KEYWORDS = {("torch", "load"): "weights_only", ("np", "load"): ""}


class Canary:
    """Makes a file where its pickle is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def sources() -> Iterator[Path]:
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def faults(code: str) -> Iterator[str]:
    """What in a module could run what it reads."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", None) or "", *(each.name for each in node.names)]
            if found := {name.partition(".")[0] for name in names} & _MODULES:
                yield f"line {node.lineno}: import of {', '.join(sorted(found))}"
        elif isinstance(node, ast.Call):
            yield from _of_call(node)


def _of_call(node: ast.Call) -> Iterator[str]:
    called = node.func
    if isinstance(called, ast.Name) and called.id in _CALLS:
        yield f"line {node.lineno}: {called.id}"
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        name = (called.value.id, called.attr)
        is_safe = any(each.arg == _SAFE_KEYWORDS.get(name) for each in node.keywords)
        if name in _METHODS and not is_safe:
            yield f"line {node.lineno}: {'.'.join(name)}"


def test_no_module_reads_what_could_run() -> None:
    found = {
        str(path.relative_to(ROOT)): wrong
        for path in sources()
        if (wrong := list(faults(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


@pytest.mark.parametrize(
    "code",
    [
        "import pickle", "from pickle import loads", "import joblib.numpy_pickle", "eval('1')",
        "exec(code)", "yaml.load(text)", "torch.load(path)", "np.load(path, allow_pickle=True)",
        "import marshal as m", "import shelve", "pd.read_pickle(path)",
    ],
)  # fmt: skip
def test_reading_what_could_run_is_noticed(code: str) -> None:
    assert len(list(faults(code))) == 1


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
