"""The datasheet of a release, after Gebru et al. (2021, Datasheets for Datasets).

It has what is known, and says of everything else that it is not stated. What only the people
behind a dataset know is asked one by one. The keys of these questions are stored with the answers
and stand in releases, so they never change their meaning. The set and its words are verified with a
release: to change them is to change the format of releases.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from tomahto.charts.table_text import escaped, typed
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.documents.citation import Author, Heading, parse_authors
from tomahto.releases.documents.fact_sentences import fact_sentences
from tomahto.releases.documents.known_facts import facts_of_release
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import Manifest
from tomahto.text.translatable import gettext_noop as _
from tomahto.types import JsonObject

Section = Literal[
    "Motivation", "Composition", "Collection process", "Labelling", "Uses", "Distribution",
    "Maintenance",
]  # fmt: skip
SECTIONS: tuple[Section, ...] = get_args(Section)
AUTHORS, ANNOTATORS = "authors", "annotators"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, with a hint for whoever answers it. With `choices` the answer is one of them."""

    key: str
    section: Section
    question: str
    hint: str
    choices: tuple[str, ...] = ()


QUESTIONS = (
    Question(
        "purpose",
        "Motivation",
        _("For what purpose was the dataset created?"),
        _("The task or the gap it was made for."),
    ),
    Question(
        AUTHORS,
        "Motivation",
        _("Who made the dataset?"),
        _(
            "One author in a line, in the order of the citation: Family name, Given names. A line "
            "without a comma is an institution. An ORCID iD may follow in brackets."
        ),
    ),
    Question(
        "funding",
        "Motivation",
        _("Who funded its creation?"),
        _("Funders and grant numbers, or that there were none."),
    ),
    Question(
        "sources",
        "Composition",
        _(
            "Where do questions, passages, references and candidates come from, and under which "
            "terms?"
        ),
        _("Datasets with their licences, systems with their versions."),
    ),
    Question(
        "sensitive",
        "Composition",
        _("Does it hold anything personal, offensive or confidential?"),
        _("Findings and how they were searched for, or that nobody has searched."),
    ),
    Question(
        ANNOTATORS,
        "Collection process",
        _("What kind of people rated?"),
        _("As the Hugging Face hub names them."),
        ("expert-generated", "crowdsourced", "machine-generated", "other"),
    ),
    Question(
        "recruitment",
        "Collection process",
        _("Who are the raters, and how were they recruited?"),
        _("Backgrounds and languages, where they were found, who was turned away. No names."),
    ),
    Question(
        "training",
        "Collection process",
        _("How were raters trained, beyond guidelines and calibration?"),
        _("Meetings, practice, feedback during the work."),
    ),
    Question(
        "pay",
        "Collection process",
        _("What were raters paid?"),
        _("By hour or by item, in which currency, and how that compares with a local wage."),
    ),
    Question(
        "ethics",
        "Collection process",
        _("Was there an ethical review?"),
        _("By whom, with what outcome; or why not."),
    ),
    Question(
        "processing",
        "Labelling",
        _("What was done to the texts before they were rated?"),
        _("Filtering, cleaning, sampling; whether the raw data is kept."),
    ),
    Question(
        "uses",
        "Uses",
        _("What should the dataset be used for, and what not?"),
        _("Also what it has been used for already."),
    ),
    Question(
        "maintenance",
        "Maintenance",
        _("Who maintains the dataset, and how are errors mended?"),
        _("Whether there will be new versions, and how long old ones stay."),
    ),
    Question(
        "contact",
        "Maintenance",
        _("Whom can users ask?"),
        _("An address that will be public."),
    ),
)
QUESTION_OF = {question.key: question for question in QUESTIONS}

DATASHEET, DATASHEET_PAGE = "datasheet.json", "datasheet.md"
NOT_STATED = "not stated"

StatedBy = Literal["release", "platform"]


class _Fact(NamedTuple):
    key: str
    section: Section
    question: str
    stated_by: StatedBy


_FACTS = (
    _Fact("contents", "Composition", "What is in the dataset?", "release"),
    _Fact("limits", "Composition", "What limits are known?", "release"),
    _Fact("raters", "Collection process", "Who rated, and how much?", "release"),
    _Fact("people", "Collection process", "How did raters come to the campaign?", "platform"),
    _Fact("period", "Collection process", "When were the ratings given?", "release"),
    _Fact("guidelines", "Collection process", "By which guidelines did raters work?", "release"),
    _Fact("suggestions", "Collection process", "Did raters see suggestions?", "release"),
    _Fact("time", "Collection process", "How long did rating take?", "release"),
    _Fact("consent", "Collection process", "Did raters consent?", "platform"),
    _Fact("calibration", "Collection process", "Were raters calibrated?", "platform"),
    _Fact("labels", "Labelling", "How did ratings become labels?", "release"),
    _Fact("licence", "Distribution", "Under which licence is it distributed?", "platform"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Datasheet:
    """`answers` are people's, by the key of the question; `release` and `platform` are the facts
    of either by the key of the entry, None what the platform does not know."""

    heading: Heading
    answers: Mapping[str, str]
    release: Mapping[str, Any]
    platform: Mapping[str, Any]

    @property
    def authors(self) -> tuple[Author, ...]:
        """Raises AuthorsError if the answer that names them does not."""
        return parse_authors(self.answers.get(AUTHORS, ""))

    @property
    def blanks(self) -> tuple[str, ...]:
        """The keys of the questions that nobody has answered."""
        return blanks_among(self.answers)

    def as_json(self) -> JsonObject:
        """Heading and sections; an entry without an answer has null."""
        heading = self.heading
        return {
            "campaign": heading.campaign,
            "title": heading.title,
            "version": heading.version,
            "published": heading.published.isoformat(),
            "sections": [
                {"section": section, "entries": [*self._facts(section), *self._answers(section)]}
                for section in SECTIONS
            ],
        }

    def _facts(self, section: Section) -> Iterable[JsonObject]:
        for fact in _FACTS:
            if fact.section == section:
                facts = (self.release if fact.stated_by == "release" else self.platform)[fact.key]
                yield {
                    "key": fact.key,
                    "question": fact.question,
                    "stated_by": fact.stated_by,
                    "answer": None if facts is None else fact_sentences(fact.key, facts),
                    "facts": facts,
                }

    def _answers(self, section: Section) -> Iterable[JsonObject]:
        for question in QUESTIONS:
            if question.section == section:
                yield {
                    "key": question.key,
                    "question": question.question,
                    "stated_by": "people",
                    "answer": self.answers.get(question.key, "").strip() or None,
                }


def release_datasheet(
    manifest: Manifest,
    dataset: Dataset,
    statistics: Mapping[str, Any],
    agreement: Mapping[str, Any],
    *,
    answers: Mapping[str, str],
    platform: Mapping[str, Any],
) -> Datasheet:
    """The datasheet of a release with what follows from its own figures."""
    unrated = manifest.items_without_ratings
    facts = facts_of_release(dataset, statistics, agreement, unrated)
    heading = Heading.of(manifest)
    return Datasheet(heading=heading, answers=answers, release=facts, platform=platform)


def blanks_among(answers: Mapping[str, str]) -> tuple[str, ...]:
    """The keys of the questions without an answer, in their order."""
    return tuple(each.key for each in QUESTIONS if not answers.get(each.key, "").strip())


def blanks_of(folder: Path) -> tuple[str, ...]:
    """The keys of the questions that the datasheet of a release leaves open.

    Raises ReleaseError if it cannot be read.
    """
    return tuple(key for key, answer in answers_in(folder).items() if answer is None)


def answers_in(folder: Path) -> dict[str, str | None]:
    """People's answers in the datasheet of a release, by key.

    Raises ReleaseError if it cannot be read.
    """
    try:
        sheet = json.loads((folder / DATASHEET).read_bytes())
        entries = [entry for part in sheet["sections"] for entry in part["entries"]]
        return {
            str(entry["key"]): entry["answer"]
            for entry in entries
            if entry["stated_by"] == "people"
        }
    except OSError as error:
        raise ReleaseError(f"{DATASHEET}: cannot be read: {error}") from error
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise ReleaseError(f"{DATASHEET}: is not a datasheet: {error!r}") from error


def datasheet_page(sheet: Mapping[str, Any]) -> str:
    """The datasheet in Markdown, made of its JSON. What people wrote stands as they wrote it."""
    sections = (
        f"## {part['section']}\n\n" + "\n\n".join(map(_entry, part["entries"]))
        for part in sheet["sections"]
        if part["entries"]
    )
    return (
        f"# Datasheet: {escaped(sheet['title'])}\n\n"
        f"Version {escaped(sheet['version'])} of {escaped(sheet['campaign'])}, published on"
        f" {escaped(sheet['published'])}. The questions follow Gebru et al. (2021), Datasheets for"
        " Datasets. Each answer says who states it: the people behind the dataset, the platform it"
        " was made on, or the release itself, whose files show it.\n\n"
        + "\n\n".join(sections)
        + "\n"
    )


def _entry(entry: Mapping[str, Any]) -> str:
    return f"### {escaped(entry['question'])}\n\n{_answer(entry)}"


def _answer(entry: Mapping[str, Any]) -> str:
    if entry["answer"] is None:
        return f"**{NOT_STATED}**"
    return f"{typed(entry['answer'])}\n\n*{_STATED_BY[entry['stated_by']]}*"


_STATED_BY = {
    "release": "Shown by the release.",
    "platform": "Stated by the platform.",
    "people": "Stated by the people behind the dataset.",
}
