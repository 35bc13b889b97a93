"""Questions and items from records, all or nothing, whatever the order."""

from dataclasses import replace

import pytest

from tasks.intake.workflow.identity import item_key, question_key
from tasks.intake.workflow.import_of import Skipped
from tasks.intake.workflow.items import ItemIntake, import_items
from tasks.intake.workflow.questions import QuestionIntake, import_questions
from tasks.models import Campaign, Candidate, Document, Item, ItemSystem, Question, Slot
from tests.tasks.conftest import MakeCampaign, item_row
from tests.tasks.intake.questions import question
from tomahto.interchange.reading.records import (
    InputError,
    ItemRow,
    QuestionRecord,
    unnamed_document,
)


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
        0, 1, 0, 2, [Skipped(1, "q1", "already exists")], {"already exists": 1}
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


def unnamed(line: int, document: str | None, *references: str) -> QuestionRecord:
    references = references or ("one",)
    return question(
        line,
        key=None,
        document=document,
        text="Who wrote it?",
        context="",
        references=references,
        answer_starts=(None,) * len(references),
    )


def questions_by_document(campaign: Campaign) -> list[tuple[str, str]]:
    found = Question.objects.filter(campaign=campaign).order_by("document__key")
    return list(found.values_list("document__key", "key"))


def test_a_question_without_an_id_is_one_for_each_document_in_any_order(
    make_campaign: MakeCampaign,
) -> None:
    records = [unnamed(line, name, name) for line, name in enumerate(("A", "B", "C"), start=1)]
    found = []
    for order in (records, records[::-1]):
        campaign = make_campaign(items=0)
        intake = import_questions(campaign=campaign, records=order)
        assert intake == QuestionIntake(3, 3, 0, 3, [], {})
        again = import_questions(campaign=campaign, records=order)
        assert (again.questions, again.skipped_by_reason) == (0, {"already exists": 3})
        found.append(questions_by_document(campaign))
    assert found[0] == found[1]
    assert [document for document, _key in found[0]] == ["A", "B", "C"]


@pytest.mark.parametrize("is_one_file", [True, False])
def test_a_question_that_names_no_document_is_the_only_one_with_its_texts(
    make_campaign: MakeCampaign, is_one_file: bool
) -> None:
    keys = []
    for documents in (("A", None), (None, "A")):
        campaign = make_campaign(items=0)
        records = [unnamed(line, name) for line, name in enumerate(documents, start=1)]
        for part in [records] if is_one_file else [[record] for record in records]:
            import_questions(campaign=campaign, records=part)
        keys += questions_by_document(campaign)
    assert keys == [keys[0]] * 2
    assert keys[0][0] == "A"


def test_a_question_that_names_none_of_several_documents_is_refused(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    records = [unnamed(1, "A"), unnamed(2, "B"), unnamed(3, None)]
    with pytest.raises(InputError) as error:
        import_questions(campaign=campaign, records=records)
    assert str(error.value) == (
        "questions.json, line 3, field document: the question occurs in 2 documents ('A', 'B'): "
        "give its id or its document"
    )
    assert not Question.objects.exists()


def test_a_question_of_before_keeps_its_key_and_its_document(make_campaign: MakeCampaign) -> None:
    """Until 0.1.0 the key said nothing of the document."""
    campaign = make_campaign(items=0)
    import_questions(campaign=campaign, records=[unnamed(1, "A")])
    of_texts = "q-" + unnamed(1, None).fingerprint
    Question.objects.update(key=of_texts)
    intake = import_questions(campaign=campaign, records=[unnamed(1, "A"), unnamed(2, "B")])
    assert (intake.questions, intake.skipped_by_reason) == (1, {"already exists": 1})
    assert questions_by_document(campaign) == [
        ("A", of_texts),
        ("B", question_key(unnamed(2, "B"))),
    ]


def test_an_id_is_given_to_the_question_of_its_document(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    import_questions(campaign=campaign, records=[unnamed(1, "A"), unnamed(2, "B")])
    named = replace(unnamed(3, "B"), key="b")
    assert import_questions(campaign=campaign, records=[named]).questions == 1
    assert questions_by_document(campaign) == [("A", question_key(unnamed(1, "A"))), ("B", "b")]


def unnamed_item(line: int, document: str | None, reference: str = "one") -> ItemRow:
    return item_row(
        line,
        id=None,
        question_key=None,
        document=document,
        question="Who wrote it?",
        context="",
        references=(reference,),
        candidate="he",
    )


@pytest.mark.parametrize("documents", [("A", "B"), ("B", "A"), (None, "A"), ("A", None)])
def test_items_bring_a_question_for_each_document_and_one_item_for_all(
    make_campaign: MakeCampaign, documents: tuple[str | None, str | None]
) -> None:
    campaign = make_campaign(items=0)
    rows = [unnamed_item(line, document) for line, document in enumerate(documents, start=1)]
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(1, 0)
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(0, 1)
    named = sorted(filter(None, documents))
    assert questions_by_document(campaign) == [
        (document, question_key(unnamed(1, document))) for document in named
    ]
    assert campaign.items.get().question.key == min(
        question_key(unnamed(1, document)) for document in named
    )
    answered = Candidate.objects.order_by("question__document__key")
    expected = named if len(named) > 1 else []  # an item says itself who answered its question
    assert list(answered.values_list("question__document__key", flat=True)) == expected


def test_an_item_that_names_none_of_several_documents_is_refused_unless_it_is_there(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    import_items(campaign=campaign, rows=[unnamed_item(1, "A"), unnamed_item(2, "B")])
    assert import_items(campaign=campaign, rows=[unnamed_item(3, None)]) == ItemIntake(0, 1)
    with pytest.raises(InputError, match="line 4, field document: the question occurs in 2 doc"):
        import_items(campaign=campaign, rows=[unnamed_item(4, None, "another")])
    assert campaign.items.count() == 1


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
    with pytest.raises(InputError, match="line 3, field id: item 'item-1' already exists"):
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


@pytest.mark.parametrize("is_one_file", [True, False])
def test_the_passage_s_own_document_gives_way_to_one_that_is_named(
    make_campaign: MakeCampaign, is_one_file: bool
) -> None:
    same = {"question_key": "q", "question": "q?", "context": "Passage."}
    rows = [item_row(1, document=unnamed_document("q?", "Passage."), **same)]
    rows.append(item_row(2, document="Alps", **same))
    found: list[str] = []
    for order in (rows, rows[::-1]):
        campaign = make_campaign(items=0)
        for part in [order] if is_one_file else [[row] for row in order]:
            import_items(campaign=campaign, rows=part)
        found += campaign.questions.values_list("document__key", flat=True)
    assert found == ["Alps", "Alps"]


def test_further_references_leave_the_item_s_own_at_its_place(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    row = item_row(1, references=("b",), reference_index=1, unrated_references=("a", "c"))
    import_items(campaign=campaign, rows=[row])
    assert campaign.questions.get().references == ["a", "b", "c"]


@pytest.mark.parametrize("names", [("Rivers", "Alps"), ("Alps", "Rivers")])
@pytest.mark.parametrize("is_one_file", [True, False])
def test_a_question_of_one_id_in_two_documents_is_refused(
    make_campaign: MakeCampaign, names: tuple[str, str], is_one_file: bool
) -> None:
    campaign = make_campaign(items=0)
    rows = [
        item_row(place, id=name, document=name, question_key="q", question="q?", context="")
        for place, name in enumerate(names, 1)
    ]
    first, second = names
    message = f"line 2, field document: is '{second}', but the question already exists in '{first}'"
    if not is_one_file:
        import_items(campaign=campaign, rows=rows[:1])
    with pytest.raises(InputError, match=message):
        import_items(campaign=campaign, rows=rows)
    assert campaign.items.count() == (not is_one_file)


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
    with pytest.raises(
        InputError, match="line 2, field question: question 'question-1' already exists"
    ):
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
