"""The prompts as they are: whoever changes one gives it a new number and writes it here."""

from tomahto.generation.drafts import prompt_named

VERSIONS = {
    "candidate": "candidate-1:ff039759",
    "statement": "statement-1:79c17eba",
    "rule": "rule-2:5415e0ec",
    "verify_rule": "verify_rule-1:49f95aaf",
}


def test_prompts_have_the_versions_they_are_known_by() -> None:
    assert {name: prompt_named(name).version for name in VERSIONS} == VERSIONS
