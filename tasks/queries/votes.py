"""Votes counted by the database: vote patterns and confusion between raters.

Both come from one GROUP BY each, so that agreement costs as much as there are patterns, not
items. The functions of `measures` turn them into numbers.
"""

from collections import defaultdict
from typing import Any

from django.db import connection
from django.db.models import Count, F, Q, QuerySet

from measures.patterns import PairTable, VotePatterns
from tasks.models import Campaign, Rating
from tasks.queries.ratings import counted_ratings


def vote_patterns(campaign: Campaign) -> VotePatterns:
    """How many items have which counts of votes per label."""
    scheme = campaign.annotation_protocol.scheme
    columns = [f"votes{index}" for index in range(len(scheme.labels))]
    per_item = (
        counted_ratings(campaign)
        .values("item")
        .annotate(
            **{
                column: Count("id", filter=Q(outcome__label=label))
                for column, label in zip(columns, scheme.labels, strict=True)
            }
        )
        .order_by()
    )
    names = ", ".join(columns)
    rows = _rows(
        f"SELECT {names}, COUNT(*) FROM ({{0}}) AS per_item GROUP BY {names}",  # noqa: S608 - our names
        per_item,
    )
    return VotePatterns(scheme, {tuple(row[:-1]): row[-1] for row in rows})


def labels_by_question_type(campaign: Campaign) -> dict[str, dict[str, int]]:
    """How many votes have each label, for every type of question there is (CAP Tab. 15)."""
    counts: dict[str, dict[str, int]] = {}
    labels = campaign.annotation_protocol.scheme.labels
    rows = (
        counted_ratings(campaign)
        .exclude(item__question__question_type="")
        .values_list("item__question__question_type", "outcome__label")
        .annotate(votes=Count("id"))
        .order_by()
    )
    for kind, label, votes in rows:
        counts.setdefault(kind, dict.fromkeys(labels, 0))[label] = votes
    return dict(sorted(counts.items()))


def pair_tables(campaign: Campaign) -> list[PairTable]:
    """Confusion counts of every two raters who share an item, under their pseudonyms."""
    votes = counted_ratings(campaign).values(
        "item_id", "rater_id", vote=F("outcome__label"), who=F("rater__pseudonym")
    )
    rows = _rows(
        "SELECT a.who, b.who, a.vote, b.vote, COUNT(*) FROM ({0}) AS a JOIN ({0}) AS b"
        " ON a.item_id = b.item_id AND a.rater_id < b.rater_id"
        " GROUP BY a.who, b.who, a.vote, b.vote",
        votes,
    )
    tables: dict[tuple[str, str], dict[tuple[str, str], int]] = defaultdict(dict)
    for one, other, vote, other_vote, items in rows:
        # names are put in order here: databases collate differently
        if one < other:
            tables[one, other][vote, other_vote] = items
        else:
            tables[other, one][other_vote, vote] = items
    return [PairTable(raters, counts) for raters, counts in sorted(tables.items())]


def _rows(statement: str, query: QuerySet[Rating, Any]) -> list[tuple[Any, ...]]:
    """Run a statement around a query: {0} stands for the query wherever it is wanted."""
    inner, parameters = query.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(statement.format(inner), parameters * statement.count("{0}"))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
