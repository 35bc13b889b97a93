"""Questions and items from records, all or nothing, whatever the order."""

import pytest

from tasks.intake.workflow.identity import item_key
from tasks.intake.workflow.items import ItemIntake, import_items
from tasks.intake.workflow.questions import QuestionIntake, import_questions
from tasks.intake.workflow.skipped import Skipped
from tasks.models import Campaign, Document, Item, ItemSystem, Question, Slot
from tests.tasks.conftest import MakeCampaign, item_row
from tests.tasks.intake.questions import question
from tomahto.interchange.reading.records import InputError


def items(campaign: Campaign) -> list[tuple[str, list[str]]]:
    found = Item.objects.filter(campaign=campaign).order_by("candidate", "reference_index")
    return [(item.candidate, item.references) for item in found]


def test_import_questions_counts_what_is_new_and_what_is_skipped(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    records = [question(1), question(2, references=(), answer_starts=()), question(3)]
    assert import_questions(campaign=campaign, records=records) == QuestionIntake(
        documents=1,
        questions=2,
        unanswerable=0,
        references=4,
        skipped=[Skipped(2, "q2", "no reference answer")],
        skipped_by_reason={"no reference answer": 1},
    )
    stored = Question.objects.get(key="q1")
    assert (stored.references, stored.answer_starts) == (["one", "two"], [0, None])


def test_import_questions_again_skips_what_is_there(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    import_questions(campaign=campaign, records=[question(1)])
    again = import_questions(campaign=campaign, records=[question(1), question(2)])
    assert again == QuestionIntake(
        0, 1, 0, 2, [Skipped(1, "q1", "is there already")], {"is there already": 1}
    )


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"text": "Another?"}, "question"),
        ({"context": "Elsewhere."}, "question"),
        ({"references": ("three",), "answer_starts": (None,)}, "references"),
    ],
)
def test_import_questions_refuses_a_key_with_other_content_and_stores_nothing(
    make_campaign: MakeCampaign, changes: dict[str, object], field: str
) -> None:
    campaign = make_campaign(items=0)
    records = [
        question(1),
        question(2),
        question(3, key="q1", **{"text": "Question 1?", **changes}),
    ]
    with pytest.raises(InputError) as error:
        import_questions(campaign=campaign, records=records)
    assert str(error.value).startswith(f"questions.json, line 3, field {field}: question 'q1'")
    assert not Question.objects.exists()
    assert not Document.objects.exists()


def test_import_questions_without_a_document_makes_one_of_the_passage(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    records = [question(n, document=None, context=f"Passage {n % 2}") for n in (1, 2, 3)]
    assert import_questions(campaign=campaign, records=records).documents == 2


def test_import_items_makes_one_item_per_reference_for_ae(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, overlap=3)
    row = item_row(1, id=None, references=("one", "two"), systems=("juniper", "thistle"))
    assert import_items(campaign=campaign, rows=[row]) == ItemIntake(2, 0)
    assert items(campaign) == [("candidate 1", ["one"]), ("candidate 1", ["two"])]
    assert Slot.objects.count() == 6
    assert ItemSystem.objects.count() == 4
    assert Question.objects.get().references == ["one", "two"]


def test_import_items_keeps_references_together_elsewhere(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, protocol="cap")
    import_items(campaign=campaign, rows=[item_row(1, references=("one", "two"))])
    assert items(campaign) == [("candidate 1", ["one", "two"])]


def test_import_items_equal_texts_are_one_item_of_several_systems(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    rows = [item_row(1, id=None, systems=(name,)) for name in ("juniper", "thistle")]
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(1, 0)
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(0, 1)
    systems = ItemSystem.objects.order_by("system__name").values_list("system__name", flat=True)
    assert list(systems) == ["juniper", "thistle"]


def test_import_items_an_id_makes_an_item_distinct(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    rows = [item_row(1, id="a"), item_row(1, id="b")]
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(2, 0)


def test_import_items_refuses_an_id_with_other_texts(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2)
    with pytest.raises(InputError, match="line 3, field id: item 'item-1' is there already"):
        import_items(campaign=campaign, rows=[item_row(3, id="item-1")])
    assert campaign.items.count() == 2


def test_import_items_does_not_depend_on_the_order(make_campaign: MakeCampaign) -> None:
    rows = [item_row(1, id=None, question_key=key, references=("x",)) for key in ("b", "a", "c")]
    keys = []
    for order in (rows, rows[::-1]):
        campaign = make_campaign(items=0)
        import_items(campaign=campaign, rows=order)
        keys.append(list(campaign.items.values_list("key", "question__key")))
    assert keys[0] == keys[1]
    assert keys[0][0][1] == "a"


def test_import_items_without_a_question_key_meet_the_question_by_its_texts(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    import_questions(campaign=campaign, records=[question(1)])
    row = item_row(
        1, id=None, question_key=None, document=None, question="Question 1?", context="A passage."
    )
    import_items(campaign=campaign, rows=[row])
    stored = Question.objects.get()
    assert (stored.key, stored.references) == ("q1", ["one", "two", "reference 1"])
    assert campaign.items.get().question == stored


def test_import_questions_name_a_question_that_items_brought(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    row = item_row(
        1, id=None, question_key=None, document=None, question="Question 1?", context="A passage."
    )
    import_items(campaign=campaign, rows=[row])
    intake = import_questions(campaign=campaign, records=[question(1)])
    stored = Question.objects.get()
    assert intake.questions == 1
    assert (stored.key, stored.document.key) == ("q1", "Lighthouses")
    assert stored.references == ["one", "two", "reference 1"]
    assert campaign.items.get().question == stored


def test_item_key_depends_on_every_text_alone() -> None:
    key = item_key("q", "c", ["r"], "a")
    others = [
        item_key("q2", "c", ["r"], "a"),
        item_key("q", "c2", ["r"], "a"),
        item_key("q", "c", ["r2"], "a"),
        item_key("q", "c", ["r"], "a2"),
        item_key("q", "", ["cr"], "a"),
    ]
    assert len({key, *others}) == 6
    assert key == item_key("q", "c", ("r",), "a")


@pytest.mark.parametrize("first", [0, 1])
def test_a_named_document_is_better_than_a_passage_whichever_comes_first(
    make_campaign: MakeCampaign, first: int
) -> None:
    campaign = make_campaign(items=0)
    rows = [item_row(1, document=None), item_row(1, id="other", document="Rivers")]
    for row in (rows[first], rows[1 - first]):
        import_items(campaign=campaign, rows=[row])
    assert set(campaign.items.values_list("question__document__key", flat=True)) == {"Rivers"}


@pytest.mark.parametrize("names", [("Rivers", "Alps"), ("Alps", "Rivers")])
@pytest.mark.parametrize("is_one_file", [True, False])
def test_of_several_documents_the_first_by_name_is_taken(
    make_campaign: MakeCampaign, names: tuple[str, str], is_one_file: bool
) -> None:
    campaign = make_campaign(items=0)
    rows = [item_row(1, id=name, document=name) for name in names]
    for part in [rows] if is_one_file else [[row] for row in rows]:
        import_items(campaign=campaign, rows=part)
    assert set(campaign.items.values_list("question__document__key", flat=True)) == {"Alps"}


@pytest.mark.parametrize("order", [(None, 2, 1), (2, 1, None), (1, None, 2)])
def test_an_item_keeps_the_highest_place_of_its_reference(
    make_campaign: MakeCampaign, order: tuple[int | None, ...]
) -> None:
    campaign = make_campaign(items=0)
    for index in order:
        import_items(campaign=campaign, rows=[item_row(1, reference_index=index)])
    assert campaign.items.get().reference_index == 2


def test_import_items_refuses_one_question_with_two_texts_in_one_file(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    rows = [item_row(1), item_row(2, question_key="question-1")]
    with pytest.raises(InputError, match="line 2, field question: question 'question-1' is there"):
        import_items(campaign=campaign, rows=rows)
    assert not Item.objects.exists()


@pytest.mark.parametrize("order", [("invalid", "partial", ""), ("", "partial", "invalid")])
def test_an_item_keeps_what_it_was_written_as(
    make_campaign: MakeCampaign, order: tuple[str, ...]
) -> None:
    campaign = make_campaign(items=0, protocol="cap")
    for intended in order:
        import_items(campaign=campaign, rows=[item_row(1, intended=intended)])
    assert Item.objects.get(campaign=campaign).intended == "invalid"
