import json
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.planned_release import ReleaseContent
from tests.exporters.format_samples import AE, CAP, labelled, texts
from tests.exporters.samples import item, rating
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.releases.records.records import AdjudicationRecord
from tomahto.scoring.squad import SquadQuestion, squad_v2
from tomahto.text.normalisation import tokens


def questions(content: ReleaseContent) -> dict[str, dict[str, Any]]:
    """The questions of all splits by id."""
    return {
        question["id"]: question
        for text in texts(content, "squad").values()
        for article in json.loads(text)["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    }


def test_squad_has_an_article_per_document_and_a_paragraph_per_passage() -> None:
    other = replace(item("f1", "A", question="qf"), context="Another passage of A.")
    content = labelled([(item("a1", "A", question="qa"), "equivalent"), (other, "equivalent")])
    (text,) = texts(content, "squad").values()
    shape = {
        article["title"]: [
            (paragraph["context"], [question["id"] for question in paragraph["qas"]])
            for paragraph in article["paragraphs"]
        ]
        for article in json.loads(text)["data"]
    }
    assert json.loads(text)["version"] == "v2.0"
    assert shape == {"A": [("A passage of A.", ["qa"]), ("Another passage of A.", ["qf"])]}


def test_squad_adds_accepted_candidates_to_the_references() -> None:
    # a1 is equivalent by two votes of three, a2 is not; both are of the question qa.
    assert questions(AE)["qa"] == {
        "id": "qa",
        "question": "What is qa?",
        "answers": [
            {"text": "Paris", "answer_start": None},
            {"text": "the city of Paris", "answer_start": None},
            {"text": "in Paris, France", "answer_start": None},
        ],
        "is_impossible": False,
        "accepted_answers": [{"text": "in Paris, France", "items": ["a1"]}],
    }


def test_squad_accepts_nothing_for_a_drawn_label() -> None:
    # b1 has one vote each way, whatever the seed draws; its adjudicators decide.
    tied = [questions(replace(AE, seed=seed))["qb"]["accepted_answers"] for seed in range(8)]
    assert tied == [[]] * 8
    decided = replace(
        AE, labels="adjudicated", adjudications=[AdjudicationRecord("b1", "x1", "equivalent")]
    )
    assert questions(decided)["qb"]["accepted_answers"] == [{"text": "=2+2", "items": ["b1"]}]


def test_squad_question_without_a_reference_is_impossible() -> None:
    # d1 has an empty reference and an empty candidate.
    assert questions(AE)["qd"] == {
        "id": "qd",
        "question": "What is qd?",
        "answers": [],
        "is_impossible": True,
        "accepted_answers": [],
    }


def test_squad_answer_starts_where_it_first_stands_in_the_passage() -> None:
    # "A passage of A.": "A" stands at 0 and 13, "passage" at 2.
    both = item("a1", "A", reference="passage", candidate="A")
    assert questions(labelled([(both, "equivalent")]))["q"]["answers"] == [
        {"text": "passage", "answer_start": 2},
        {"text": "A", "answer_start": 0},
    ]


def test_squad_candidate_that_is_another_reference_is_not_listed_as_accepted() -> None:
    first = item("a1", "A", reference="Paris", candidate="Lutetia", index=0)
    second = item("a2", "A", reference="Lutetia", candidate="the capital", index=1)
    question = questions(labelled([(second, "equivalent"), (first, "equivalent")]))["q"]
    assert [answer["text"] for answer in question["answers"]] == [
        "Paris",
        "Lutetia",
        "the capital",
    ]
    assert question["accepted_answers"] == [{"text": "the capital", "items": ["a2"]}]


def test_squad_candidate_accepted_for_several_references_stands_once() -> None:
    items = [
        item(f"a{place}", "A", reference=reference, candidate="c", index=place)
        for place, reference in enumerate(("one", "two", "three"))
    ]
    labels = ("equivalent", "not-equivalent", "equivalent")
    question = questions(labelled(list(zip(items, labels, strict=True))))["q"]
    assert [answer["text"] for answer in question["answers"]] == ["one", "two", "three", "c"]
    assert question["accepted_answers"] == [{"text": "c", "items": ["a0", "a2"]}]


def test_squad_asks_the_terms_which_labels_accept() -> None:
    # CAP: a1 exact, a2 partial, b1 invalid, c1 exact.
    exact = {"a1", "c1"}
    assert _accepted_items(CAP) == exact
    wide = replace(CAP.campaign, accepted_labels=("exact", "partial"))
    assert _accepted_items(replace(CAP, campaign=wide)) == exact | {"a2"}


def _accepted_items(content: ReleaseContent) -> set[str]:
    return {
        item
        for question in questions(content).values()
        for answer in question["accepted_answers"]
        for item in answer["items"]
    }


def test_squad_paragraph_of_very_many_questions_is_divided() -> None:
    items = [item(f"i{n:04}", "A", question=f"q{n:04}") for n in range(2_001)]
    (text,) = texts(labelled([(each, "equivalent") for each in items]), "squad").values()
    (article,) = json.loads(text)["data"]
    sizes = [len(paragraph["qas"]) for paragraph in article["paragraphs"]]
    assert sizes == [1_000, 1_000, 1]
    assert {paragraph["context"] for paragraph in article["paragraphs"]} == {"A passage of A."}


ANSWERS = st.text(st.sampled_from("aAb1 .,-ä’\n"), max_size=6)


@settings(max_examples=20)
@given(st.lists(st.tuples(ANSWERS, ANSWERS, st.booleans()), min_size=1, max_size=5, unique=True))
def test_squad_scores_an_accepted_candidate_as_an_exact_match(
    pairs: list[tuple[str, str, bool]],
) -> None:
    """All but one that normalisation leaves nothing of: the official script drops such answers."""
    items = [
        item(f"i{place}", "A", reference=reference, candidate=candidate, index=place)
        for place, (reference, candidate, _) in enumerate(pairs)
    ]
    labels = ["equivalent" if is_right else "not-equivalent" for *_, is_right in pairs]
    question = questions(labelled(list(zip(items, labels, strict=True))))["q"]
    gold = SquadQuestion("q", [answer["text"] for answer in question["answers"]])
    for _, candidate, is_right in pairs:
        if is_right and tokens(candidate):
            assert squad_v2([gold], {"q": candidate}).overall.exact == 100.0


TEXTS = st.text(st.sampled_from('ab "\\\u2028ä\U0001f600'), max_size=4)
NAMES = st.text(st.sampled_from("xy/é"), min_size=1, max_size=3)


@settings(max_examples=20)
@given(
    st.dictionaries(
        NAMES, st.tuples(NAMES, TEXTS, st.lists(st.tuples(TEXTS, TEXTS), max_size=3)), min_size=1
    )
)
def test_squad_is_read_as_the_questions_it_was_written_from(
    asked: dict[str, tuple[str, str, list[tuple[str, str]]]],
) -> None:
    """By question id: document, passage, and pairs of a reference and an accepted candidate."""
    items = [
        replace(
            item(f"{key} {place}", document, question=key, reference=reference, candidate=right),
            context=context,
            reference_index=place,
        )
        for key, (document, context, pairs) in asked.items()
        for place, (reference, right) in enumerate([("r", "c"), *pairs])
    ]
    (text,) = texts(labelled([(each, "equivalent") for each in items]), "squad").values()
    with NamedTemporaryFile(suffix=".json") as file:
        file.write(text.encode())
        file.flush()
        read = {
            record.key: (record.document, record.context, record.references)
            for record in read_questions(Path(file.name), format="squad")
        }
    assert read == {
        key: (document, context, _answers([("r", "c"), *pairs]))
        for key, (document, context, pairs) in asked.items()
    }


def _answers(pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    """The references, then the accepted candidates in the order of their items."""
    columns = zip(*pairs, strict=True)
    return tuple(dict.fromkeys(text for column in columns for text in column if text.strip()))


def test_squad_rests_on_votes_of_counted_ratings() -> None:
    # One counted vote against, two surplus votes for it.
    ratings = [
        rating("a1", "r1", {"q1": "yes"}),
        *(rating("a1", name, {"q1": "no", "q2": "yes"}, counted=False) for name in ("r2", "r3")),
    ]
    content = replace(labelled([(item("a1", "A"), "equivalent")]), ratings=ratings)
    assert questions(content)["q"]["accepted_answers"] == []
