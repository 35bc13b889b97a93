"""The prompts as they are: whoever changes one gives it a new number and writes it here."""

import pytest

from inference.answerers.endpoint import EXAM
from inference.generation.array import prompt_named

VERSIONS = {
    "exam": "1+f8ff4deb5127",
    "candidate": "1+ff0397597051",
    "statement": "1+79c17eba4be8",
    "rule": "1+437fbaa1af97",
    "verify_rule": "1+49f95aaf16b5",
}


@pytest.mark.parametrize("name", VERSIONS)
def test_a_prompt_has_the_version_it_is_known_by(name: str) -> None:
    prompt = EXAM if name == "exam" else prompt_named(name)
    assert (prompt.name, prompt.version) == (name, VERSIONS[name])
