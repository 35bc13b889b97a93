"""Every command that README and docs print does what it should, typed as it stands there.

Each page has the site of a first `./run` to itself. What needs something that is not to be had
here is named with the reason; of its commands, the arguments at least are read.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.docs.clone import Clone, type_in, variables
from tests.docs.commands import commands_in, fault_of
from tests.docs.pages import PAGES as DOCUMENTS
from tests.docs.pages import Block, all_blocks, sentences_of
from tomahto.answerers.registry import configure_answerers

MODELS = "it downloads a model or a corpus"
DOCKER = "it needs a container engine"

# the beginning of a block -> why it is not typed
NOT_TYPED = {
    "./run          # installs": "the tests' own fixture serves, and these are the tests",
    "./run --models ": MODELS,
    "export TOMAHTO_BERTSCORE_MODEL": MODELS,
    "export TOMAHTO_BEM_": MODELS,
    "docker": DOCKER,
    "cp docker/.env.example": DOCKER,
    "alias tomahto='docker": DOCKER,
    "TOMAHTO_TLS=": "a setting, not a command",
    "TOMAHTO_RELEASES_URL=": "a setting, not a command",
    "HF_TOKEN=": "it publishes on the Hugging Face hub",
    "./run manage generate": "it needs a language model at an endpoint",
    "./run manage evaluate reproduce bulian": "the files are the papers' own",
    "./run python examples/answer_equivalence.py": "tests/examples runs it",
    "./run manage import_questions pilot": "the files are SQuAD's own",
    "./run manage make_aliases": "the files are a paper's own",
    "./run python examples/matcher_rules.py": "tests/examples runs it",
    "cat ae_train.jsonl": "the files are a paper's own",
    "./test tests/demo": "this is one of the tests",
}
TYPED = [block for block in all_blocks() if block.is_typed]


def why_not(block: Block) -> str | None:
    return next((why for start, why in NOT_TYPED.items() if block.text.startswith(start)), None)


def place(block: Block) -> str:
    return f"{block.page}:{block.line}"


def test_every_block_with_commands_says_that_it_is_for_a_shell() -> None:
    unnamed = [block for block in all_blocks() if block.looks_typed and not block.language]
    assert [place(block) for block in unnamed] == []


def test_every_reason_is_needed() -> None:
    unused = [start for start in NOT_TYPED if not any(b.text.startswith(start) for b in TYPED)]
    assert unused == []


def test_pages_that_release_the_demo_under_one_number_split_it_alike() -> None:
    """Whoever types one page after the other has the release already."""
    splits: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for block in TYPED:
        for command in block.management_commands():
            if command[0] == "release" and command[1].startswith("demo-"):
                version, split = (
                    command[command.index(name) + 1] for name in ("--version", "--split")
                )
                splits[command[1], version].add(split)
    assert {made: found for made, found in splits.items() if len(found) > 1} == {}
    assert splits


@pytest.mark.parametrize("block", TYPED, ids=place)
def test_endpoints_are_set_up_above_where_they_are_asked(block: Block) -> None:
    above = [one.text for one in all_blocks() if one.page == block.page and one.line < block.line]
    for command in block.management_commands():
        if "--endpoint" in command:
            name = command[command.index("--endpoint") + 1]
            assert any(f"[{name}]\n" in text for text in above)


@pytest.fixture
def _configured_answerers(tmp_path: Path) -> Iterator[None]:
    """Those that the documentation describes."""
    tables = [block.text for block in all_blocks() if block.language == "toml"]
    file = tmp_path / "answerers.toml"
    file.write_text("\n".join(tables), encoding="utf-8")
    configure_answerers(file)
    yield
    configure_answerers(None)


@pytest.mark.usefixtures("_configured_answerers")
@pytest.mark.parametrize("block", [block for block in TYPED if why_not(block)], ids=place)
def test_arguments_of_what_cannot_be_typed_here_are_read(block: Block) -> None:
    names = get_commands()
    for name, *arguments in block.management_commands():
        command = load_command_class(names[name], name)
        command.create_parser("manage.py", name).parse_args(arguments)


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    shared: Path = tmp_path_factory.getbasetemp()
    if shared.name.startswith("popen-"):  # one process of several: they share the folder above
        shared = shared.parent
    folder = shared / "clone"
    folder.mkdir(exist_ok=True)
    return Clone(folder)


PAGES = sorted({block.page for block in TYPED if not why_not(block)})


@pytest.mark.faults
@pytest.mark.parametrize("page", PAGES)
def test_commands_of_a_page_do_what_they_should(page: str, clone: Clone) -> None:
    desk, data = clone.desk(page.replace("/", "-"))
    for block in TYPED:
        if block.page == page and not why_not(block):
            type_in(desk, block.text, variables(data))


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_commands_named_in_sentences_are_there_with_their_options(page: Path) -> None:
    found = [(" ".join(words), fault_of(words)) for words in commands_in(sentences_of(page))]
    assert [one for one in found if one[-1]] == []
