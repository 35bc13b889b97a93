"""The words in which a protocol is written down: choices, questions, labels, outcomes.

A protocol is data plus one function that reads the label off the answers. Everything else
(form, keyboard, API, import, the database's list of permitted outcomes) follows from it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, takewhile

from tomahto.votes.scheme import LabelScheme, Level, QuestionScheme

Answers = Mapping[str, str]
"""Question key to canonical value; questions that are not asked are absent. The values of a
question with several choices are joined by `+` in the order of the choices."""


class AnswersError(ValueError):
    """Answers that the protocol does not permit; `question` is the key that is wrong."""

    def __init__(self, question: str, message: str) -> None:
        self.question, self.message = question, message
        super().__init__(f"{question}: {message}")


@dataclass(frozen=True)
class Choice:
    """One answer to a question, offered once every answer in `when` has been given. `key` is the
    key on the keyboard that gives it."""

    value: str
    title: str
    key: str
    meaning: str = ""
    when: Answers = field(default_factory=dict)

    def is_offered(self, answers: Answers) -> bool:
        return _holds(self.when, answers)


YES_NO = (Choice("yes", "Yes", "y"), Choice("no", "No", "n"))


@dataclass(frozen=True)
class Question:
    """A question of the form. It is asked once every answer in `when` has been given."""

    key: str
    text: str
    choices: tuple[Choice, ...]
    note: str = ""
    when: Answers = field(default_factory=dict)
    multiple: bool = False

    @property
    def is_yes_no(self) -> bool:
        return tuple(self.order) == ("yes", "no")

    @cached_property
    def order(self) -> Mapping[str, int]:
        return {choice.value: index for index, choice in enumerate(self.choices)}

    def values(self, answers: Answers) -> Iterator[str]:
        """Every canonical value this question may be answered with after these answers."""
        offered = [choice.value for choice in self.choices if choice.is_offered(answers)]
        for size in range(1, len(offered) + 1 if self.multiple else 2):
            for chosen in combinations(offered, size):
                yield "+".join(chosen)

    def offered_part(self, value: str, answers: Answers) -> str:
        """The rest of a canonical value without the choices that these answers rule out."""
        offered = {choice.value for choice in self.choices if choice.is_offered(answers)}
        return "+".join(part for part in value.split("+") if part in offered)

    def canonical(self, given: object) -> str:
        """The canonical value of what a form, an API call or a file gives.

        Booleans stand for yes and no; several choices come as a list or joined by `+`.
        Raises AnswersError for anything else.
        """
        if isinstance(given, bool) and self.is_yes_no:
            return "yes" if given else "no"
        parts = []
        for part in given if isinstance(given, list) else [given]:
            pieces = part.split("+") if self.multiple and isinstance(part, str) else [part]
            for piece in pieces:
                if not isinstance(piece, str) or piece not in self.order:
                    known = ", ".join(self.order)
                    raise AnswersError(self.key, f"{piece!r} is not one of {known}")
                parts.append(piece)
        if len(set(parts)) != len(parts) or (len(parts) != 1 and not self.multiple):
            raise AnswersError(self.key, "takes exactly one answer")
        return "+".join(sorted(parts, key=self.order.__getitem__))


@dataclass(frozen=True)
class Label:
    """A label that follows from the answers, with its rank in the protocol's order."""

    value: str
    title: str
    rank: float
    meaning: str = ""


def label_question(text: str, labels: Sequence[Label]) -> Question:
    """The one question of a form whose answer is the label itself; its keys are 1, 2, 3, …"""
    choices = tuple(
        Choice(label.value, label.title, str(place), label.meaning)
        for place, label in enumerate(labels, start=1)
    )
    return Question("label", text, choices)


@dataclass(frozen=True)
class Outcome:
    """One permitted complete set of answers and what it means.

    `answers` is empty only for an outcome that an import gave as a bare label.
    """

    id: str
    protocol: str
    answers: Answers
    label: str
    reading: str  # finer than the label, for charts; equal to the label where nothing is finer


@dataclass(frozen=True)
class Example:
    """An item on which the form can be tried before a campaign has any."""

    question: str
    context: str
    reference: str
    candidate: str


@dataclass(frozen=True)
class AnnotationProtocol:
    """The questions for a rater, and the label that follows from the answers.

    `label_of` and `reading_of` read the label and its finer reading off complete answers.
    `has_references_together` is false where every reference makes an item of its own;
    `rates_answers` where the candidate is no answer to the question but something made of one.
    """

    name: str
    title: str
    source: str
    questions: tuple[Question, ...]
    labels: tuple[Label, ...]
    label_of: Callable[[Answers], str]
    example: Example
    level: Level = "nominal"
    reading_of: Callable[[Answers], str] | None = None
    has_references_together: bool = True
    rates_answers: bool = True
    reference_title: str = "Reference answer"
    candidate_title: str = "Candidate answer"
    correct_labels: frozenset[str] = frozenset()

    @cached_property
    def scheme(self) -> LabelScheme:
        return LabelScheme(
            tuple(label.value for label in self.labels),
            tuple(label.rank for label in self.labels),
            self.level,
        )

    @cached_property
    def titles(self) -> dict[str, str]:
        return {label.value: label.title for label in self.labels}

    @cached_property
    def accepted_labels(self) -> tuple[str, ...]:
        """The labels under which a candidate is a right answer to its question, in the order of the
        labels; none where candidates are no answers."""
        accepted = self.correct_labels if self.rates_answers else frozenset[str]()
        return tuple(value for value in self.scheme.labels if value in accepted)

    @cached_property
    def question_schemes(self) -> tuple[QuestionScheme, ...]:
        return tuple(
            QuestionScheme(question.key, tuple(question.order), question.multiple)
            for question in self.questions
        )

    @cached_property
    def question_keys(self) -> tuple[str, ...]:
        return tuple(question.key for question in self.questions)

    def next_question(self, answers: Answers) -> Question | None:
        """The first question that these answers call for and do not answer; None when done."""
        return next((q for q in self._asked(answers) if q.key not in answers), None)

    def cut(self, answers: Answers) -> dict[str, str]:
        """The answers without what an earlier answer has closed: questions, and choices of them."""
        kept: dict[str, str] = {}
        for question in self.questions:
            if question.key not in answers or not _holds(question.when, kept):
                continue
            if part := question.offered_part(answers[question.key], kept):
                kept[question.key] = part
        return kept

    def before(self, asked: str, answers: Answers) -> dict[str, str] | None:
        """The answers with which the question before the one asked is asked again.

        What that question and those after it were answered is left out; None if it is the first.
        """
        earlier = list(takewhile(lambda question: question.key != asked, self._asked(answers)))
        if not earlier:
            return None
        kept = {question.key for question in earlier[:-1]}
        return {key: value for key, value in answers.items() if key in kept}

    def canonical(self, given: Mapping[str, object]) -> dict[str, str]:
        """Canonical answers, complete or not, from raw ones; None and "" mean not answered.

        They stand in the order of the questions, whatever order they are given in. Raises
        AnswersError for an unknown value, an answer to a question that is not asked, or a choice
        that an earlier answer rules out.
        """
        known = {question.key: question for question in self.questions}
        if stray := [key for key in given if key not in known]:
            raise AnswersError(stray[0], f"protocol {self.name} has no such question")
        answers = {
            key: question.canonical(given[key])
            for key, question in known.items()
            if given.get(key) is not None and given[key] not in ("", [])
        }
        cut = self.cut(answers)
        for key, value in answers.items():
            if not _holds(known[key].when, cut):
                raise AnswersError(key, "is not asked after the answers before it")
            if ruled_out := set(value.split("+")) - set(cut.get(key, "").split("+")):
                raise AnswersError(key, _ruled_out(min(ruled_out), known[key]))
        return answers

    def outcome(self, given: Mapping[str, object]) -> Outcome:
        """The outcome of complete answers. Raises AnswersError if they are not permitted."""
        answers = self.canonical(given)
        if missing := self.next_question(answers):
            raise AnswersError(missing.key, "is not answered")
        return self._by_answers[outcome_id(self.name, answers)]

    def outcome_of_label(self, label: str) -> Outcome:
        """The outcome of a bare label, as an import may give it without the answers.

        Where one outcome alone has the label, it is that one; else the outcome without answers.
        """
        if label not in self.scheme.index_of:
            raise AnswersError("label", f"{label!r} is not one of {', '.join(self.scheme.labels)}")
        candidates = [o for o in self._by_answers.values() if o.label == label]
        return candidates[0] if len(candidates) == 1 else self._bare(label)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every outcome that may be stored, bare labels of imports last."""
        answered = tuple(self._by_answers.values())
        labels = [outcome.label for outcome in answered]
        bare = tuple(self._bare(v) for v in self.scheme.labels if labels.count(v) > 1)
        return answered + bare

    def _asked(self, answers: Answers) -> Iterator[Question]:
        return (question for question in self.questions if _holds(question.when, answers))

    @cached_property
    def _by_answers(self) -> Mapping[str, Outcome]:
        return {outcome.id: outcome for outcome in self._complete({})}

    def _complete(self, answers: dict[str, str]) -> Iterator[Outcome]:
        question = self.next_question(answers)
        if question is None:
            label = self.label_of(answers)
            reading = self.reading_of(answers) if self.reading_of else label
            yield Outcome(outcome_id(self.name, answers), self.name, answers, label, reading)
            return
        for value in question.values(answers):
            yield from self._complete({**answers, question.key: value})

    def _bare(self, label: str) -> Outcome:
        return Outcome(f"{self.name}:{label}", self.name, {}, label, label)


def outcome_id(protocol: str, answers: Answers) -> str:
    """The readable primary key of an outcome, as in `ae:q1=no,q2=yes`."""
    return f"{protocol}:" + ",".join(f"{key}={value}" for key, value in answers.items())


def _ruled_out(value: str, question: Question) -> str:
    when = next(choice.when for choice in question.choices if choice.value == value)
    wanted = " and ".join(f"{key} {answer!r}" for key, answer in when.items())
    return f"{value!r} goes with {wanted} alone"


def _holds(when: Answers, answers: Answers) -> bool:
    return all(answers.get(key) == value for key, value in when.items())
