"""Rules that keep the house in order, counted from the source: `docs/architecture.md` gives their
reasons."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import grimp
import pytest

pytestmark = pytest.mark.slow


ROOT: Final = Path(__file__).parents[1]
CODE: Final = ("annotation_site", "bootstrap", "exporters", "tasks", "tomahto")
MODULES_IN_A_FOLDER: Final = 20
BARE_NAMES: Final = {
    *("asked", "each", "found", "given", "made", "one", "place", "said", "shown", "told"),
    *("what", "where"),
}
_CLAUSE: Final = re.compile(r"\s*(?:What|Who|Whose|How|Where|Which)\b")
_COMMENT: Final = re.compile(r"{% comment %}(.*?){% endcomment %}", re.DOTALL)
# of another feature only what is meant for it
FOR_OTHERS: Final = ("workflow", "queries", "figures", "findings", "shown", "guards", "registry")
# no features: what all of them stand on, and what stands on all of them
GROUND: Final = ("models", "protocols", "release_store", "storing", "votes", "web")
ABOVE: Final = ("backup", "demo", "management", "migrations", "templatetags")


def modules() -> Iterator[Path]:
    for room in CODE:
        for path in sorted((ROOT / room).rglob("*.py")):
            if not {"migrations", "commands"} & set(path.parts):
                yield path.relative_to(ROOT)


def test_no_folder_has_more_modules_than_one_can_look_through() -> None:
    folders = Counter(path.parent for path in modules() if path.name != "__init__.py")
    assert {
        str(folder) for folder, count in folders.items() if count > MODULES_IN_A_FOLDER
    } == set()


def test_what_is_defined_is_named_by_a_noun_or_a_verb() -> None:
    """`found`, `given` or `each` say nothing of what a function answers or a class holds."""
    wrong = {
        f"{path}: {node.name}"
        for path in modules()
        for node in ast.parse((ROOT / path).read_text()).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        and node.name.strip("_").lower() in BARE_NAMES
    }
    assert wrong == set()


def docstrings(path: Path) -> Iterator[str]:
    """Of the module, its functions and classes, and below its values."""
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield text


def test_docstrings_and_comments_of_templates_open_with_a_statement() -> None:
    """A clause that opens with "What" or "How" has to be read twice."""
    python = (path.relative_to(ROOT) for room in (*CODE, "tests") for path in _python_in(room))
    opened = {
        f"{path}: {text.splitlines()[0]}"
        for path in python
        if not {"api", "api.py", "serializers.py"} & set(path.parts)  # texts of the schema
        for text in docstrings(path)
        if _CLAUSE.match(text)
    }
    for path in (ROOT / "templates").rglob("*.html"):
        comments = _COMMENT.findall(path.read_text())
        opened |= {f"{path.name}: {text}" for text in comments if _CLAUSE.match(text)}
    assert opened == set()


def _python_in(room: str) -> Iterator[Path]:
    return (path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{each.name}" for each in node.names)


def test_features_use_of_each_other_what_is_meant_for_others() -> None:
    wrong = set()
    for path in modules():
        own = path.parts[1] if path.parts[0] == "tasks" and len(path.parts) > 2 else None
        if own is None or own in ABOVE:
            continue
        for name in imported(path):
            parts = name.split(".")
            if parts[0] != "tasks" or parts[1] in (own, *GROUND) or len(parts) < 3:
                continue
            if parts[2] not in FOR_OTHERS:
                wrong.add(f"{path}: {name}")
    assert wrong == set()


def test_no_two_modules_need_each_other() -> None:
    """Imports inside functions are for what is heavy or not always installed."""
    graph = grimp.build_graph(*CODE, "benchmarks", exclude_type_checking_imports=True)
    TopologicalSorter(
        {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    ).prepare()


_LOADED = """
import sys, django
django.setup()
before = set(sys.modules)
import {module}
print(*sorted(set(sys.modules) - before))
"""


def loaded_by(module: str) -> list[str]:
    """The modules that are imported for a module beyond Django."""
    printed = subprocess.run(
        [sys.executable, "-c", _LOADED.format(module=module)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        env={**__import__("os").environ, "DJANGO_SETTINGS_MODULE": "annotation_site.settings"},
    )
    return printed.stdout.split()


@pytest.mark.parametrize("module", ["tasks.jobs.workflow.jobs", "tasks.rating.pages.rate"])
def test_what_queues_a_job_or_shows_an_item_loads_next_to_nothing(module: str) -> None:
    """Counted in modules, for seconds differ from machine to machine."""
    loaded = loaded_by(module)
    heavy = (
        *("celery", "kombu", "pyarrow", "exporters", "tomahto.matching", "tomahto.lab"),
        *("markdown_it", "latex2mathml"),
    )
    assert [name for name in loaded if name.startswith(heavy)] == []
    assert len(loaded) < 80


def test_pages_load_scipy_only_for_what_needs_it() -> None:
    loaded = loaded_by("annotation_site.urls")
    assert "tomahto.estimates.estimate" in loaded
    assert [name for name in loaded if name.startswith("scipy")] == []
