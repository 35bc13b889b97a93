"""Campaigns half rated, with odd answers, drawn anew by each seed."""

import random
from collections.abc import Iterable, Iterator, Sequence

from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Item, Rating
from tomahto.interchange.reading.records import (
    AdjudicationRow,
    GivenAnswer,
    ItemRow,
    PredictionRecord,
    QuestionRecord,
    RatingRow,
    Source,
)

SYSTEMS = ("bidaf", "luke", "xlnet")  # those of Bulian et al. 2022
QUESTIONS = 24
_AT = Source("campaign.jsonl", 1)
_REFERENCES = (
    ("A",),
    ("C++", "C plus plus"),
    ("+", "the plus sign"),
    ("-5", "minus five", "five below zero"),
    ("3.14",),
    ("the Nile", "Nile River"),
    ("二〇〇八年", "2008"),
    ("U.S.", "the United States"),
)
_ODD = ("", " ", "the", "an", "-", "5", "314", "C#", "C", "us", "2008年", "NILE!", "an A")


def half_rated(seed: int, *, protocol: str = "ae", has_ties: bool = True) -> Campaign:
    """Each system answered every question, and two thirds of the items were rated, by up to three
    people. Some are tied, and some decided by an adjudicator."""
    draw = random.Random(seed)
    campaign = create_campaign(slug=f"half-{seed}", protocol=protocol, overlap=3)
    questions = [_question(number, draw) for number in range(QUESTIONS)]
    import_questions(campaign=campaign, records=questions)
    for system in SYSTEMS:
        given = [PredictionRecord(_AT, str(asked.key), _answer(asked, draw)) for asked in questions]
        import_predictions(campaign=campaign, system=system, records=given)
    items = list(campaign.items.order_by("key"))
    rated = draw.sample(items, k=len(items) * 2 // 3)
    best, *_, worst = campaign.annotation_protocol.scheme.labels
    labels = (best, worst)
    import_ratings(campaign=campaign, rows=_ratings(rated, labels, has_ties, draw))
    if not has_ties:
        return campaign
    decided = draw.sample(rated, k=len(rated) // 6)
    import_adjudications(
        campaign=campaign, rows=[_decision(item, labels, draw) for item in decided]
    )
    return campaign


def without_systems(campaign: Campaign) -> Campaign:
    """Its items with all references of their questions, and its ratings, imported by texts."""
    bare = create_campaign(slug=f"{campaign.slug}-bare", protocol="ae", overlap=3)
    import_items(campaign=bare, rows=_rows(campaign.items.select_related("question__document")))
    given = Rating.objects.filter(item__campaign=campaign).order_by("pk")
    votes = given.values_list("item__key", "rater__pseudonym", "outcome__label")
    rows = [RatingRow(_AT, None, item, rater, label) for item, rater, label in votes]
    import_ratings(campaign=bare, rows=rows)
    return bare


def _rows(items: Iterable[Item]) -> Iterator[ItemRow]:
    for item in items:
        yield ItemRow(
            source=_AT,
            id=None,
            question_key=item.question.key,
            document=item.question.document.key,
            question=item.question.text,
            context=item.question.context,
            references=tuple(item.question.references),
            candidate=item.candidate,
            systems=(),
        )


def _question(number: int, draw: random.Random) -> QuestionRecord:
    references = draw.choice(_REFERENCES) if draw.random() < 0.9 else ()
    return QuestionRecord(
        source=_AT,
        key=f"question-{number:02}",
        document=f"document-{number // 3}",
        text=f"{chr(ord('a') + number) * 4} or {number * 37}?",
        context=f"Passage {number}.",
        references=references,
        answer_starts=(None,) * len(references),
        is_unanswerable=not references,
    )


def _answer(asked: QuestionRecord, draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.25 and asked.references:
        text = draw.choice(asked.references)
        return draw.choice([text, text.upper(), f"The {text}.", f"“{text}”"])
    if kind < 0.5:
        return draw.choice(_ODD)
    return f"candidate {draw.randrange(3)}"


def _ratings(
    items: list[Item], labels: Sequence[str], has_ties: bool, draw: random.Random
) -> Iterator[RatingRow]:
    for item in items:
        leaning, votes = draw.random(), draw.choice((1, 1, 2, 3) if has_ties else (1, 3))
        for rater in draw.sample(range(5), k=votes):
            label = labels[draw.random() < leaning]
            yield RatingRow(_AT, None, item.key, f"rater-{rater}", label)


def _decision(item: Item, labels: Sequence[str], draw: random.Random) -> AdjudicationRow:
    return AdjudicationRow(_AT, item.key, "oak", GivenAnswer(draw.choice(labels)))
