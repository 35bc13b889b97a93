"""Answers of systems that nobody has rated: the items that they are settled by."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.answers import AnswerIntake, import_answers
from tasks.models import Campaign
from tests.stored_at_once import store_items
from tests.tasks.conftest import item_row
from tomahto.interchange.reading.records import AnswerRow, QuestionRecord


def unrated_answer(number: int, *, question_key: str = "") -> AnswerRow:
    row = item_row(number)
    record = QuestionRecord(
        source=row.source,
        key=question_key or row.question_key,
        document=row.document,
        text=row.question,
        context=row.context,
        references=row.references,
        answer_starts=(None,),
    )
    return AnswerRow(row.source, record, "juniper", row.candidate, "not-rated", 0)


def make_items(slug: str, number: int) -> Campaign:
    campaign = create_campaign(slug=slug, protocol="ae", overlap=2)
    store_items(campaign, [item_row(each) for each in range(number)])
    return campaign


def test_an_answer_that_waits_to_be_rated_has_its_item(db: None) -> None:
    campaign = make_items("waters", 2)
    rows = [unrated_answer(0), unrated_answer(1, question_key="twin")]
    intake = import_answers(campaign=campaign, rows=rows)
    assert intake == AnswerIntake(answers=2, questions_created=1, candidates=2, items_created=0)
    assert campaign.items.count() == 2


def test_as_many_queries_find_the_items_of_one_answer_and_of_twenty(db: None) -> None:
    counts = []
    for number in (1, 20):
        campaign = make_items(f"waters-{number}", number)
        rows = [unrated_answer(each) for each in range(number)]
        with CaptureQueriesContext(connection) as queries:
            import_answers(campaign=campaign, rows=rows)
        counts.append(len(queries))
    assert counts[0] == counts[1]
