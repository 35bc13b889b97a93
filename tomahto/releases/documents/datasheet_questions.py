"""What only the people behind a dataset know, asked one by one (Gebru et al. 2021).

Keys are stored with the answers and stand in releases, so they never change their meaning. The set
and its words are verified with a release: to change them is to change the format of releases.
"""

from dataclasses import dataclass
from typing import Literal, get_args

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
        "For what purpose was the dataset created?",
        "The task or the gap it was made for.",
    ),
    Question(
        AUTHORS,
        "Motivation",
        "Who made the dataset?",
        "One author in a line, in the order of the citation: Family name, Given names. A line"
        " without a comma is an institution. An ORCID iD may follow in brackets.",
    ),
    Question(
        "funding",
        "Motivation",
        "Who funded its creation?",
        "Funders and grant numbers, or that there were none.",
    ),
    Question(
        "sources",
        "Composition",
        "Where do questions, passages, references and candidates come from, and under which terms?",
        "Datasets with their licences, systems with their versions.",
    ),
    Question(
        "sensitive",
        "Composition",
        "Does it hold anything personal, offensive or confidential?",
        "Findings and how they were searched for, or that nobody has searched.",
    ),
    Question(
        ANNOTATORS,
        "Collection process",
        "What kind of people rated?",
        "As the Hugging Face hub names them.",
        ("expert-generated", "crowdsourced", "machine-generated", "other"),
    ),
    Question(
        "recruitment",
        "Collection process",
        "Who are the raters, and how were they recruited?",
        "Backgrounds and languages, where they were found, who was turned away. No names.",
    ),
    Question(
        "training",
        "Collection process",
        "How were raters trained, beyond guidelines and calibration?",
        "Meetings, practice, feedback during the work.",
    ),
    Question(
        "pay",
        "Collection process",
        "What were raters paid?",
        "By hour or by item, in which currency, and how that compares with a local wage.",
    ),
    Question(
        "ethics",
        "Collection process",
        "Was there an ethical review?",
        "By whom, with what outcome; or why not.",
    ),
    Question(
        "processing",
        "Labelling",
        "What was done to the texts before they were rated?",
        "Filtering, cleaning, sampling; whether the raw data is kept.",
    ),
    Question(
        "uses",
        "Uses",
        "What should the dataset be used for, and what not?",
        "Also what it has been used for already.",
    ),
    Question(
        "maintenance",
        "Maintenance",
        "Who maintains the dataset, and how are errors mended?",
        "Whether there will be new versions, and how long old ones stay.",
    ),
    Question(
        "contact",
        "Maintenance",
        "Whom can users ask?",
        "An address that will be public.",
    ),
)
QUESTION_OF = {question.key: question for question in QUESTIONS}
