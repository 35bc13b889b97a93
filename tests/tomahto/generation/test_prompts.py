"""The prompts as they are: whoever changes one gives it a new number and writes it here."""

import pytest

from tomahto.generation.array import prompt_named

VERSIONS = {
    "candidate": "candidate-1:ff039759",
    "statement": "statement-1:79c17eba",
    "rule": "rule-2:5415e0ec",
    "verify_rule": "verify_rule-1:49f95aaf",
}


@pytest.mark.parametrize("name", VERSIONS)
def test_a_prompt_has_the_version_it_is_known_by(name: str) -> None:
    assert prompt_named(name).version == VERSIONS[name]
