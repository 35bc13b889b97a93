"""A question has one split in its source, whatever files say it and in which order."""

from itertools import permutations

import pytest

from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.models import Question
from tasks.releases.queries.releasable import item_records
from tests.tasks.conftest import MakeCampaign, item_row
from tomahto.interchange.reading.records import InputError, QuestionRecord, Source


def asked(split: str = "") -> QuestionRecord:
    return QuestionRecord(
        source=Source("questions.json", 1),
        key="q1",
        document="Lighthouses",
        text="Question 1?",
        context="A passage.",
        references=("one",),
        answer_starts=(None,),
        split=split,
    )


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_split_is_known_whichever_file_says_it(
    make_campaign: MakeCampaign, order: tuple[int, ...]
) -> None:
    campaign = make_campaign(items=0)
    texts = {"question": asked().text, "context": asked().context, "references": ("one",)}
    row = item_row(1, question_key="q1", document="Lighthouses", **texts)
    steps = (
        lambda: import_questions(campaign=campaign, records=[asked()]),
        lambda: import_items(campaign=campaign, rows=[row]),
        lambda: import_questions(campaign=campaign, records=[asked("train")]),
    )
    for place in order:
        steps[place]()
    assert [record.source_split for record in item_records(campaign)] == ["train"]


def test_split_comes_with_items_and_with_questions_known_by_their_texts(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    rows = [
        item_row(1, id=None, question_key=None, split="dev"),
        item_row(1, id=None, question_key=None, candidate="another"),
        item_row(2, id=None, question_key=None),
        item_row(2, id=None, question_key=None, candidate="another", split="test"),
    ]
    import_items(campaign=campaign, rows=rows)
    found = Question.objects.filter(campaign=campaign).order_by("text")
    assert [each.split for each in found] == ["dev", "test"]


def test_another_split_of_a_question_that_is_there_is_refused(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    import_questions(campaign=campaign, records=[asked("train")])
    with pytest.raises(InputError) as caught:
        import_questions(campaign=campaign, records=[asked("dev")])
    assert str(caught.value) == (
        "questions.json, line 1, field split: is 'dev', but the question already exists in 'train'"
    )
    assert Question.objects.get().split == "train"


@pytest.mark.parametrize("candidates", [("same", "same"), ("one", "another")])
def test_two_splits_of_a_question_in_one_file_are_refused(
    make_campaign: MakeCampaign, candidates: tuple[str, str]
) -> None:
    campaign = make_campaign(items=0)
    rows = [
        item_row(1, id=None, candidate=candidate, split=split)
        for candidate, split in zip(candidates, ("train", "dev"), strict=True)
    ]
    with pytest.raises(InputError, match="field split: is 'dev', but the question already"):
        import_items(campaign=campaign, rows=rows)
    assert not Question.objects.exists()
