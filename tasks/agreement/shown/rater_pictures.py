"""The pictures of raters on the page Agreement: two by two, and by agreement and time."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.agreement.shown.pictured import (
    Head,
    PageFigures,
    PicturedFigure,
    TableCell,
    estimate_in_words,
    heads,
    interval_head,
    value_cell,
)
from tasks.agreement.shown.verdict import counts
from tasks.web.number_texts import count, decimals, duration, from_to, percent
from tomahto.charts.agreement_charts import PairCell, Person, pair_chart, people_chart
from tomahto.estimates.bootstrap import FEW
from tomahto.estimates.estimate import estimate_from_json
from tomahto.reliability.chance_corrected import different_weights

MOST_RATERS: Final = 16  # in a picture
MOST_PAIRS: Final = 300  # of raters in a table: all of 25


def pairs_of_raters(shown: PageFigures) -> PicturedFigure:
    """Kappa of every two raters, those first who agree least with the others."""
    pairs = shown.figures["agreement"]["kappa"]
    weights = different_weights(shown.campaign.annotation_protocol.scheme)
    chosen = weights[-1]
    titles = {"unweighted": _("Unweighted"), "linear": _("Linear"), "quadratic": _("Quadratic")}
    order = _in_order(pairs, chosen)
    places = {rater: place for place, rater in enumerate(order)}
    cells = []
    for pair in pairs:
        first, second = pair["raters"]
        if first in places and second in places:
            cells.append(_pair_cell(shown, pair, pair[chosen]["value"], places))
    title = _("Agreement of each pair of raters")
    caption = _(
        "Cohen’s κ of each pair of raters on the items that both have rated. The deeper the "
        "colour, the higher the agreement."
    )
    if len(weights) > 1:
        caption += " " + _("Weights: %(weights)s.") % {"weights": titles[chosen].lower()}
    if any(cell.is_small for cell in cells):
        caption += " " + _("Hatched: fewer than %(few)d items, or undefined.") % {"few": FEW}
    everybody = {rater for pair in pairs for rater in pair["raters"]}
    if len(everybody) > MOST_RATERS:
        caption += " " + _("The %(shown)d of %(all)s raters who share the most items.") % {
            "all": count(len(everybody)),
            "shown": MOST_RATERS,
        }
    if len(pairs) > MOST_PAIRS:
        caption += " " + _("The table lists the %(pairs)d pairs with the most items.") % {
            "pairs": MOST_PAIRS
        }
    listed = sorted(pairs, key=lambda pair: -pair["items"])[:MOST_PAIRS]
    return PicturedFigure(
        key="kappa",
        title=title,
        term="kappa",
        caption=caption,
        picture=pair_chart(list(map(shown.name_of, order)), cells, shown.wording(title, caption))
        if cells
        else None,
        heads=heads(
            _("Raters"),
            _("Items both rated"),
            *((titles[name] if len(weights) > 1 else "κ") for name in weights),
        ),
        rows=[
            [
                TableCell(" · ".join(map(shown.name_of, pair["raters"]))),
                TableCell(count(pair["items"]), pair["items"]),
                *(value_cell(pair[name]) for name in weights),
            ]
            for pair in sorted(listed, key=lambda pair: pair["raters"])
        ],
        more=shown.page("raters"),
        nothing=_("No two raters have rated the same item yet."),
    )


def raters(shown: PageFigures) -> PicturedFigure:
    """Agreement with the others and the time for an item, and who stands out."""
    pulls = {pull["rater"]: pull for pull in shown.figures["alpha"]["without_raters"]}
    rated = [
        work for work in shown.figures["raters"]["raters"] if work["agreement"]["value"] is not None
    ]
    people, rows = [], []
    for work in rated:
        rater, agreement = work["rater"], estimate_from_json(work["agreement"])
        seconds = work["seconds_median"]["value"]
        why = list(_why(rater, pulls, shown.words))
        says = estimate_in_words(shown.name_of(rater), agreement, as_share=True)
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
                TableCell(from_to(agreement.low, agreement.high, as_share=True)),
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
        caption += " " + _("Squares mark raters who stand out; the table gives the reason.")
    if len(timed) < len(people):
        caption += " " + ngettext(
            "One rater without a time is only in the table.",
            "%(count)s raters without a time are only in the table.",
            len(people) - len(timed),
        ) % {"count": count(len(people) - len(timed))}
    wording = shown.wording(title, caption, across=_("median time for an item, in seconds"))
    return PicturedFigure(
        key="raters",
        title=title,
        term="",
        caption=caption,
        picture=people_chart(timed, wording) if timed else None,
        heads=heads(
            _("Rater"),
            _("Agreement with the others"),
            interval_head(),
            _("Ratings compared"),
            Head(_("Median time"), "s"),
            _("α without them"),
            _("Change of α"),
            _("Stands out"),
        ),
        rows=rows,
        more=shown.page("raters"),
        nothing=_("No rater has been timed. The table shows their agreement.")
        if rows
        else _("There are no ratings yet."),
    )


def _why(rater: str, pulls: Mapping[str, Any], words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The reasons for which a rater stands out, in words."""
    if rater in pulls and counts(gain := pulls[rater]["gain"]):
        yield _("lowers α by %(gain)s") % {"gain": decimals(gain["value"], 2)}
    yield from words.get(rater, ())


def _pull_cells(pull: Mapping[str, Any] | None) -> list[TableCell]:
    if pull is None:
        return [TableCell(""), TableCell("")]
    return [value_cell(pull["alpha"]), value_cell(pull["gain"])]


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
    shown: PageFigures, pair: Mapping[str, Any], value: float | None, places: Mapping[str, int]
) -> PairCell:
    first, second = pair["raters"]
    earlier, later = sorted((places[first], places[second]))
    names = f"{shown.name_of(first)} · {shown.name_of(second)}"
    items = ngettext("%(count)s item", "%(count)s items", pair["items"]) % {
        "count": count(pair["items"])
    }
    text = "–" if value is None else decimals(value, 2)
    kappa = _("undefined") if value is None else decimals(value, 3)
    is_small = pair["items"] < FEW or value is None
    return PairCell(later, earlier, value or 0.0, text, f"{names}\nκ {kappa}, {items}", is_small)
