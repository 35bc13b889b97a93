"""How often questions have items with which answers, counted by the database in one statement.

To each rating the statement joins how it counts: 1 for its label and for each answer it gave. An
item's counts are summed, those of a question's items stand together, and questions with the same
are counted. The sums are packed into few whole numbers, so that an item costs a sum or two and
not one for each answer there is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import F

from tasks.models import Campaign, Outcome
from tasks.votes.ratings import counted_ratings
from tomahto.types import Integers
from tomahto.votes.answer_patterns import AnswerColumns, AnswerPatterns
from tomahto.votes.codes import END
from tomahto.votes.patterns import Pattern
from tomahto.votes.questions import QuestionPart

_TEXT_OF_ALL = {"postgresql": "STRING_AGG", "sqlite": "GROUP_CONCAT"}
_WIDTHS = (8, 31)  # bits of a count: items with more than 255 ratings take a second attempt
_WORD = 40  # bits used of 63, so that a count too large for its bits overflows nothing


class Packing(NamedTuple):
    """Counts of `width` bits each, as many to a whole number as fit."""

    width: int

    def words(self, counts: Sequence[int]) -> list[int]:
        size = _WORD // self.width
        return [
            sum(count << (self.width * place) for place, count in enumerate(counts[begin:][:size]))
            for begin in range(0, len(counts), size)
        ]

    def counts(self, words: Sequence[int], columns: int) -> tuple[int, ...]:
        size, most = _WORD // self.width, 2**self.width - 1
        places = (divmod(column, size) for column in range(columns))
        return tuple(words[word] >> (self.width * place) & most for word, place in places)


@dataclass(frozen=True)
class Ballots:
    """The counted ratings of a campaign, and how each outcome they may have counts.

    `outcomes` is the database's list, which keeps those that a protocol permitted before.
    """

    campaign: Campaign
    columns: AnswerColumns
    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, campaign: Campaign, parts: tuple[QuestionPart, ...]) -> "Ballots":
        """Counted by label, and by answer to these parts of the form."""
        outcomes = Outcome.objects.filter(protocol=campaign.protocol).order_by("id")
        columns = AnswerColumns(campaign.annotation_protocol.scheme, parts)
        return cls(campaign, columns, tuple(outcomes))

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of each outcome."""
        return tuple(outcome.label for outcome in self.outcomes)

    def patterns(self) -> AnswerPatterns:
        return self._counted(with_codes=False)[0]

    def patterns_and_codes(self) -> tuple[AnswerPatterns, Integers]:
        """The patterns, and who voted how as `tomahto.votes.codes` takes it."""
        patterns, codes = self._counted(with_codes=True)
        text = f",{END},".join(codes)
        return patterns, np.fromstring(text, dtype=np.int64, sep=",")

    @cached_property
    def _counts(self) -> list[tuple[int, ...]]:
        """How one rating of each outcome counts."""
        return [self.columns.counts_of(each.label, each.answers) for each in self.outcomes]

    def _counted(self, *, with_codes: bool) -> tuple[AnswerPatterns, list[str]]:
        for packing in map(Packing, _WIDTHS):
            rows = self._rows(packing, with_codes=with_codes)
            if max((most for *_, most, _codes in rows), default=0) < 2**packing.width:
                break
        size = len(self._counts[0])

        @cache
        def pattern(words: str) -> Pattern:
            return packing.counts([int(word) for word in words.split()], size)

        questions = {
            tuple(map(pattern, items.split(","))): times for items, times, _most, _codes in rows
        }
        return self.columns.fold_questions(questions), [row[-1] for row in rows]

    def _rows(self, packing: Packing, *, with_codes: bool) -> list[tuple[Any, ...]]:
        """For each combination of items their words, as a text, how many questions have it, the
        most ratings of an item, and all their codes."""
        ballots: list[tuple[str | int, ...]] = [
            (outcome.pk, code, *packing.words(counts))
            for code, (outcome, counts) in enumerate(zip(self.outcomes, self._counts, strict=True))
        ]
        votes, parameters = (
            counted_ratings(self.campaign)
            .annotate(question=F("item__question_id"))
            .values("item_id", "rater_id", "outcome_id", "question")
            .query.sql_with_params()
        )
        statement = _statement(votes, len(ballots), len(ballots[0]) - 2, with_codes=with_codes)
        with connection.cursor() as cursor:
            cursor.execute(statement, [*(cell for row in ballots for cell in row), *parameters])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _statement(votes: str, outcomes: int, words: int, *, with_codes: bool) -> str:
    """The statement around a query for item, question, rater and outcome of each vote.

    Its parameters are the ballots (outcome, code, words), then those of the query.
    """
    join = _TEXT_OF_ALL[connection.vendor]
    names = [f"word{number}" for number in range(words)]
    sums = ", ".join(f"CAST(SUM({name}) AS bigint) AS {name}" for name in names)
    code = f"CAST(rater_id * {outcomes} + code AS text)"
    of_item = f"{join}({code}, ',')" if with_codes else "NULL"
    of_all = f"{join}(codes, ',{END},')" if with_codes else "NULL"
    said = " || ' ' || ".join(f"CAST({name} AS text)" for name in names)
    row = ", ".join(["%s"] * (words + 2))
    # CROSS JOIN, because SQLite would begin with the outcomes and search all ratings for each
    return f"""
WITH ballot (outcome, code, {", ".join(names)}) AS (VALUES {", ".join([f"({row})"] * outcomes)})
SELECT items, COUNT(*), MAX(ratings), {of_all} FROM (
    SELECT {join}({said}, ',') AS items, MAX(ratings) AS ratings, {of_all} AS codes FROM (
        SELECT MIN(question) AS question, {sums}, COUNT(*) AS ratings, {of_item} AS codes
        FROM ({votes}) AS vote CROSS JOIN ballot
        WHERE ballot.outcome = vote.outcome_id GROUP BY vote.item_id
    ) AS item GROUP BY question
) AS question GROUP BY items
"""  # noqa: S608 - names of our own columns
