from tomahto.lab.judged import DecidedBy, rules_question
from tomahto.votes.scheme import QuestionScheme

LABEL = QuestionScheme("label", ("correct", "incorrect"))
RULES = QuestionScheme("rules", ("aliasing", "numerical", "semantic"), is_multiple=True)


def test_rule_is_decisive_from_half_of_the_ratings_with_the_label() -> None:
    ratings = [
        ("a", "correct", {"label": "correct", "rules": "semantic+aliasing"}),
        ("a", "correct", {"label": "correct", "rules": "semantic"}),
        ("a", "incorrect", {"label": "incorrect", "rules": "numerical"}),
        ("b", "correct", {"label": "correct", "rules": "aliasing"}),
        ("b", "correct", {"label": "correct", "rules": "numerical"}),
        ("b", "correct", {"label": "correct", "rules": "semantic"}),
        ("c", "correct", {"label": "correct", "rules": "aliasing"}),
        ("d", "correct", {"label": "correct"}),
    ]
    labels = {"a": "correct", "b": "correct", "c": "incorrect", "d": "correct"}
    assert DecidedBy.of(RULES, labels, ratings) == DecidedBy(
        ("aliasing", "numerical", "semantic"), {"a": ("aliasing", "semantic"), "b": ()}
    )


def test_question_for_the_rules_has_several_answers() -> None:
    assert rules_question([LABEL, RULES]) is RULES
    assert rules_question([LABEL]) is None
