"""The pictures of the page Agreement, each with its table, in the language of its reader."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import combinations
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tasks.agreement.shown.items_address import items_with_both
from tasks.agreement.shown.verdict import counts, names_of_parts
from tasks.models import Campaign
from tasks.web.number_texts import count, decimals, duration, percent
from tomahto.estimates.bootstrap import FEW
from tomahto.estimates.estimate import Estimate, estimate_from_json
from tomahto.figures.agreement_charts import (
    Interval,
    Moment,
    PairCell,
    Person,
    Wording,
    course_chart,
    interval_chart,
    pair_chart,
    people_chart,
)
from tomahto.figures.picture import Picture
from tomahto.figures.svg import svg_of
from tomahto.reliability.kappa import different_weights

MOST_RATERS: Final = 16  # in a picture
MOST_SYSTEMS: Final = 12
MOST_PAIRS: Final = 300  # of raters in a table: all of 25
_A_YEAR: Final = 330  # days, from which on the year is written


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table; `number` is what its text says, for sorting and files."""

    text: str
    number: float | Estimate | None = None
    address: str = ""
    lang: str = ""
    day: date | None = None


class Head(NamedTuple):
    """The title of a column; `unit` is that of its numbers in files. Columns of words that say
    what others do are not sorted by."""

    title: str
    unit: str = ""
    is_sorted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFigure:
    """A picture with its caption, and the table behind it; `more` is the page that has more of it.

    `heads` are the titles of the columns, the first of which names the rows. `nothing` is said
    where there is no picture.
    """

    key: str
    title: str
    term: str
    caption: str
    picture: Picture | None
    heads: Sequence[Head]
    rows: Sequence[Sequence[TableCell]]
    more: str = ""
    nothing: str = ""

    @property
    def svg(self) -> SafeString:
        assert self.picture is not None  # noqa: S101 - asked for where there is one
        return mark_safe(svg_of(self.picture))  # noqa: S308 - escapes every text  # nosec


@dataclass(frozen=True, slots=True)
class Shown:
    """All that the pictures are made of: figures by name, and what readers call the raters."""

    campaign: Campaign
    figures: Mapping[str, Any]
    names: Mapping[str, str]
    goal: float | None
    events: Sequence[tuple[date, str]] = ()
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def name_of(self, rater: str) -> str:
        return self.names.get(rater, rater)

    def page(self, name: str, *more: str) -> str:
        return reverse(name, args=[self.campaign.slug, *more])

    def wording(self, title: str, description: str, **more: Any) -> Wording:
        return Wording(
            title=title,
            description=description,
            goal=_("goal"),
            number=decimals,
            **more,
        )


def figures_shown(shown: Shown) -> list[ShownFigure]:
    """Those that say something: two labels can be mixed up in one way alone."""
    figures = [intervals(shown), pairs_of_raters(shown)]
    if len(shown.figures["classes"]["order"]) > 2:
        figures += [mixed_labels(shown), disagreement(shown)]
    return [*figures, over_time(shown), raters(shown)]


def intervals(shown: Shown) -> ShownFigure:
    """Alpha over all labels, on every question and by system."""
    agreement, alpha = shown.figures["agreement"], shown.figures["alpha"]
    whole = [_row(_("All labels"), agreement["alpha"], is_whole=True)]
    parts = names_of_parts(shown.campaign)
    if len(parts) > 1:
        whole += [_row(name, agreement["questions"][key]["alpha"]) for key, name in parts.items()]
    narrowed = shown.campaign.narrowed_to
    # the items of one system are those of others, too, but not all of theirs
    systems = [] if narrowed and narrowed.system else alpha["systems"]
    most = sorted(systems, key=lambda each: (-each["items"], each["system"]))[:MOST_SYSTEMS]
    drawn = [each for each in systems if each in most]
    caption = _("Krippendorff’s α with its interval (95 %).")
    if len(systems) > MOST_SYSTEMS:
        caption += " " + _("Of %(all)s systems these %(shown)d have most items.") % {
            "all": count(len(systems)),
            "shown": MOST_SYSTEMS,
        }
    if shown.goal is not None:
        caption += " " + _(
            "A square lies surely below the goal, a circle reaches it, a diamond may be either."
        )
    title = _("Where raters agree")
    return ShownFigure(
        key="intervals",
        title=title,
        term="alpha",
        caption=caption,
        picture=interval_chart(
            [*whole, *(_row(each["system"], each["alpha"]) for each in drawn)],
            shown.wording(title, caption),
            shown.goal,
        ),
        heads=_heads(_("Labels of"), "α", _interval_head(), _("Items with two or more")),
        rows=[
            _estimate_cells(TableCell(row.name), row.estimate)
            for row in (*whole, *(_row(each["system"], each["alpha"]) for each in systems))
        ],
        more=shown.page("systems") if systems else "",
    )


def pairs_of_raters(shown: Shown) -> ShownFigure:
    """Kappa of every two raters, those first who agree least with the others."""
    pairs = shown.figures["agreement"]["kappa"]
    weights = different_weights(shown.campaign.annotation_protocol.scheme)
    chosen = weights[-1]
    titles = {"unweighted": _("Unweighted"), "linear": _("Linear"), "quadratic": _("Quadratic")}
    order = _in_order(pairs, chosen)
    places = {rater: place for place, rater in enumerate(order)}
    cells = []
    for pair in pairs:
        one, other = pair["raters"]
        if one in places and other in places:
            cells.append(_pair_cell(shown, pair, pair[chosen]["value"], places))
    title = _("How far every two raters agree")
    caption = _(
        "Cohen’s κ of every two raters, on the items that both have rated: the deeper the colour,"
        " the further they agree."
    )
    if len(weights) > 1:
        caption += " " + _("Weights: %(weights)s.") % {"weights": titles[chosen].lower()}
    if any(cell.is_small for cell in cells):
        caption += " " + _("Hatched: fewer than %(few)d items, or undefined.") % {"few": FEW}
    everybody = {rater for pair in pairs for rater in pair["raters"]}
    if len(everybody) > MOST_RATERS:
        caption += " " + _("Of %(all)s raters these %(shown)d share most items.") % {
            "all": count(len(everybody)),
            "shown": MOST_RATERS,
        }
    if len(pairs) > MOST_PAIRS:
        caption += " " + _("The table has the %(pairs)d pairs with most items.") % {
            "pairs": MOST_PAIRS
        }
    listed = sorted(pairs, key=lambda pair: -pair["items"])[:MOST_PAIRS]
    return ShownFigure(
        key="kappa",
        title=title,
        term="kappa",
        caption=caption,
        picture=pair_chart(
            [shown.name_of(each) for each in order], cells, shown.wording(title, caption)
        )
        if cells
        else None,
        heads=_heads(
            _("Raters"),
            _("Items both rated"),
            *((titles[each] if len(weights) > 1 else "κ") for each in weights),
        ),
        rows=[
            [
                TableCell(" · ".join(map(shown.name_of, pair["raters"]))),
                TableCell(count(pair["items"]), pair["items"]),
                *(_value_cell(pair[each]) for each in weights),
            ]
            for pair in sorted(listed, key=lambda pair: pair["raters"])
        ],
        more=shown.page("raters"),
        nothing=_("No two raters have rated the same item yet."),
    )


def mixed_labels(shown: Shown) -> ShownFigure:
    """How two votes on an item differ that are not the same."""
    titles, classes = shown.campaign.annotation_protocol.titles, shown.figures["classes"]
    order, table = classes["order"], classes["coincidences"]
    together = {
        (one, other): 2 * table[one][other] for one, other in combinations(range(len(order)), 2)
    }
    total = sum(together.values())
    most = max(together.values(), default=0) or 1
    cells, rows = [], []
    for (one, other), number in sorted(together.items(), key=lambda each: (-each[1], each[0])):
        share = number / (total or 1)
        names = f"{titles[order[one]]} · {titles[order[other]]}"
        address = items_with_both(shown.campaign, order[one], order[other]) if number else ""
        says = _("%(labels)s: %(share)s of all votes that differ") % {
            "labels": names,
            "share": percent(share, 1),
        }
        text = decimals(100 * share, 0) if number else ""
        said = says if number else ""
        cells.append(PairCell(other, one, number / most, text, said, address=address))
        if number:
            name = TableCell(names, address=address, lang="en")
            rows.append([name, TableCell(percent(share, 1), share)])
    title = _("Which labels get mixed up")
    caption = _(
        "Of 100 votes that differ from another on the same item, as many lie between these two"
        " labels. Choose a field to read its items."
    )
    return ShownFigure(
        key="mixed",
        title=title,
        term="",
        caption=caption,
        picture=pair_chart([titles[each] for each in order], cells, shown.wording(title, caption))
        if total
        else None,
        heads=_heads(_("Labels"), _("Of votes that differ")),
        rows=rows,
        more=shown.page("classes"),
        nothing=_("No two votes on an item differ so far."),
    )


def disagreement(shown: Shown) -> ShownFigure:
    """How often each label is contradicted."""
    titles, labels = shown.campaign.annotation_protocol.titles, shown.figures["classes"]["labels"]
    named = [(titles[each["label"]], estimate_from_json(each["disagreement"])) for each in labels]
    rows = [Interval(name, made, _says(name, made, as_share=True)) for name, made in named]
    title = _("Which labels are contradicted")
    caption = _(
        "Where one vote gives the label, the chance that another vote on the item differs, with"
        " its interval (95 %)."
    )
    return ShownFigure(
        key="disagreement",
        title=title,
        term="interval",
        caption=caption,
        picture=interval_chart(
            rows, replace(shown.wording(title, caption), number=lambda share, _: percent(share))
        ),
        heads=_heads(_("Label"), _("Disagreement"), _interval_head(), _("Items with the label")),
        rows=[_estimate_cells(TableCell(n, lang="en"), made, as_share=True) for n, made in named],
        more=shown.page("classes"),
    )


def over_time(shown: Shown) -> ShownFigure:
    """Alpha by period, and when guidelines changed."""
    figures = shown.figures["time"]
    moments = [
        Moment(
            start := date.fromisoformat(each["start"]),
            made := estimate_from_json(each["alpha"]),
            _says(_day(start), made),
        )
        for each in figures["periods"]
    ]
    # as Django’s filter `date` writes a day and a month
    events, day_format = [], pgettext("day of an axis", "j M")
    if moments:
        first, last = moments[0].start, moments[-1].start
        events = [(day, name) for day, name in shown.events if first < day <= last]
        if (last - first).days >= _A_YEAR:
            day_format = "M Y"
    by = {"day": _("by day"), "week": _("by week"), "month": _("by month")}[figures["period"]]
    title = _("Over time")
    caption = _(
        "Krippendorff’s α %(by)s, with the band of its 95 %% intervals. An item belongs to the time"
        " of its last rating."
    ) % {"by": by}
    if undated := figures["undated"]:
        caption += " " + ngettext(
            "One item without a time is left out.",
            "%(count)s items without a time are left out.",
            undated,
        ) % {"count": count(undated)}
    return ShownFigure(
        key="time",
        title=title,
        term="",
        caption=caption,
        picture=course_chart(
            moments,
            events,
            replace(shown.wording(title, caption), day=partial(date_format, format=day_format)),
            shown.goal,
        )
        if moments
        else None,
        heads=_heads(_("From"), "α", _interval_head(), _("Items with two or more")),
        rows=[
            _estimate_cells(TableCell(_day(each.start), day=each.start), each.estimate)
            for each in moments
        ],
        more=shown.page("time"),
        nothing=_("No rating has a time."),
    )


def raters(shown: Shown) -> ShownFigure:
    """Agreement with the others and the time for an item, and who stands out."""
    pulls = {each["rater"]: each for each in shown.figures["alpha"]["without_raters"]}
    rated = [
        each for each in shown.figures["raters"]["raters"] if each["agreement"]["value"] is not None
    ]
    people, rows = [], []
    for each in rated:
        rater, agreement = each["rater"], estimate_from_json(each["agreement"])
        seconds = each["seconds_median"]["value"]
        why = list(_why(rater, pulls, shown.words))
        says = _says(shown.name_of(rater), agreement, as_share=True)
        for more in (*([duration(seconds)] if seconds is not None else []), *why):
            says += f"\n{more}"
        address = shown.page("rater", rater)
        people.append(
            (
                seconds,
                Person(shown.name_of(rater), seconds or 0.0, agreement, says, bool(why), address),
            )
        )
        rows.append(
            [
                TableCell(shown.name_of(rater), address=address),
                TableCell(percent(agreement.value, 1), agreement),
                TableCell(_bounds(agreement, as_share=True)),
                TableCell(count(agreement.n), agreement.n),
                TableCell(duration(seconds), seconds),
                *_pull_cells(pulls.get(rater)),
                TableCell("; ".join(why)),
            ]
        )
    timed = [person for seconds, person in people if seconds is not None]
    title = _("Raters")
    caption = _(
        "Share of the others’ votes that a rater’s votes agree with, and the median time for an"
        " item."
    )
    if any(person.stands_out for person in timed):
        caption += " " + _("Squares stand out: see the table for the reason.")
    if len(timed) < len(people):
        caption += " " + ngettext(
            "One rater without a time is in the table alone.",
            "%(count)s raters without a time are in the table alone.",
            len(people) - len(timed),
        ) % {"count": count(len(people) - len(timed))}
    wording = shown.wording(title, caption, across=_("median time for an item, in seconds"))
    return ShownFigure(
        key="raters",
        title=title,
        term="",
        caption=caption,
        picture=people_chart(timed, wording) if timed else None,
        heads=_heads(
            _("Rater"),
            _("Agreement with the others"),
            _interval_head(),
            _("Ratings compared"),
            Head(_("Median time"), "s"),
            _("α without them"),
            _("Change of α"),
            _("Stands out"),
        ),
        rows=rows,
        more=shown.page("raters"),
        nothing=_("No rater has been timed: the table has their agreement.")
        if rows
        else _("There are no ratings yet."),
    )


def _why(rater: str, pulls: Mapping[str, Any], words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The reasons for which a rater stands out, in words."""
    if rater in pulls and counts(gain := pulls[rater]["gain"]):
        yield _("pulls α down by %(gain)s") % {"gain": decimals(gain["value"], 2)}
    yield from words.get(rater, ())


def _pull_cells(pull: Mapping[str, Any] | None) -> list[TableCell]:
    if pull is None:
        return [TableCell(""), TableCell("")]
    return [_value_cell(pull["alpha"]), _value_cell(pull["gain"])]


def _row(name: str, figures: Mapping[str, Any], *, is_whole: bool = False) -> Interval:
    estimate = estimate_from_json(figures)
    return Interval(name, estimate, _says(name, estimate), is_whole)


def _says(name: str, estimate: Estimate, *, as_share: bool = False) -> str:
    """All of an estimate in two lines."""
    if estimate.value is None:
        return f"{name}: {_('undefined')}"
    value = _number(estimate.value, as_share=as_share)
    n = _("n = %(n)s") % {"n": count(estimate.n)}
    bounds = _bounds(estimate, as_share=as_share)
    return f"{name}: {value}\n{f'{bounds}, ' if bounds else ''}{n}"


def _number(value: float, *, as_share: bool) -> str:
    return percent(value, 1) if as_share else decimals(value, 3)


def _bounds(estimate: Estimate, *, as_share: bool = False) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    ends = (_number(end, as_share=as_share) for end in (estimate.low, estimate.high))
    return _("%(low)s to %(high)s") % dict(zip(("low", "high"), ends, strict=True))


def _estimate_cells(
    name: TableCell, estimate: Estimate, *, as_share: bool = False
) -> list[TableCell]:
    if estimate.value is None:
        return [
            name,
            TableCell(estimate.reason or "", lang="en"),
            TableCell(""),
            TableCell(count(estimate.n), estimate.n),
        ]
    return [
        name,
        TableCell(_number(estimate.value, as_share=as_share), estimate),
        TableCell(_bounds(estimate, as_share=as_share)),
        TableCell(count(estimate.n), estimate.n),
    ]


def _interval_head() -> Head:
    return Head(_("Interval (95 %)"), is_sorted=False)


def _heads(*titles: str | Head) -> list[Head]:
    return [title if isinstance(title, Head) else Head(title) for title in titles]


def _value_cell(figures: Mapping[str, Any]) -> TableCell:
    if figures["value"] is None:
        return TableCell(figures["reason"], lang="en")
    return TableCell(decimals(figures["value"], 3), estimate_from_json(figures))


def _day(start: date) -> str:
    return date_format(start, "SHORT_DATE_FORMAT")


def _in_order(pairs: Sequence[Mapping[str, Any]], weights: str) -> list[str]:
    """The raters who share most items, those first whose mean kappa is lowest."""
    shared: dict[str, int] = {}
    values: dict[str, list[tuple[float, int]]] = {}
    for pair in pairs:
        for rater in pair["raters"]:
            shared[rater] = shared.get(rater, 0) + pair["items"]
            if pair[weights]["value"] is not None:
                values.setdefault(rater, []).append((pair[weights]["value"], pair["items"]))
    chosen = sorted(shared, key=lambda rater: (-shared[rater], rater))[:MOST_RATERS]

    def mean(rater: str) -> float:
        held = values.get(rater, [])
        items = sum(number for _value, number in held)
        return sum(value * number for value, number in held) / items if items else 1.0

    return sorted(chosen, key=lambda rater: (mean(rater), rater))


def _pair_cell(
    shown: Shown, pair: Mapping[str, Any], value: float | None, places: Mapping[str, int]
) -> PairCell:
    one, other = pair["raters"]
    earlier, later = sorted((places[one], places[other]))
    names = f"{shown.name_of(one)} · {shown.name_of(other)}"
    items = ngettext("%(count)s item", "%(count)s items", pair["items"]) % {
        "count": count(pair["items"])
    }
    text = "–" if value is None else decimals(value, 2)
    kappa = _("undefined") if value is None else decimals(value, 3)
    is_small = pair["items"] < FEW or value is None
    return PairCell(later, earlier, value or 0.0, text, f"{names}\nκ {kappa}, {items}", is_small)
