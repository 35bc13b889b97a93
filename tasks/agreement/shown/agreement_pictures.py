"""The pictures of the page Agreement, each with its table, in the language of its reader."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import combinations
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tasks.agreement.shown.labels import items_with_both
from tasks.agreement.shown.pictured import (
    PageFigures,
    PicturedFigure,
    TableCell,
    estimate_cells,
    estimate_in_words,
    heads,
    interval_head,
)
from tasks.agreement.shown.rater_pictures import pairs_of_raters, raters
from tasks.agreement.shown.verdict import names_of_parts
from tasks.web.number_texts import count, decimals, percent
from tomahto.charts.agreement_charts import (
    Interval,
    Moment,
    PairCell,
    course_chart,
    interval_chart,
    pair_chart,
)
from tomahto.estimates.estimate import estimate_from_json

MOST_SYSTEMS: Final = 12  # in a picture
_A_YEAR: Final = 330  # days, from which on the year is written


def agreement_pictures(shown: PageFigures) -> list[PicturedFigure]:
    """Those that say something: two labels can be mixed up in one way alone."""
    figures = [intervals(shown), pairs_of_raters(shown)]
    if len(shown.figures["classes"]["order"]) > 2:
        figures += [mixed_labels(shown), disagreement(shown)]
    return [*figures, over_time(shown), raters(shown)]


def intervals(shown: PageFigures) -> PicturedFigure:
    agreement, alpha = shown.figures["agreement"], shown.figures["alpha"]
    whole = [_row(_("All labels"), agreement["alpha"], is_whole=True)]
    parts = names_of_parts(shown.campaign)
    if len(parts) > 1:
        whole += [_row(name, agreement["questions"][key]["alpha"]) for key, name in parts.items()]
    narrowed = shown.campaign.narrowed_to
    # the items of one system are those of others, too, but not all of theirs
    systems = [] if narrowed and narrowed.system else alpha["systems"]
    most = sorted(systems, key=lambda part: (-part["items"], part["system"]))[:MOST_SYSTEMS]
    drawn = [part for part in systems if part in most]
    caption = _("Krippendorff’s α with its interval (95 %).")
    if len(systems) > MOST_SYSTEMS:
        caption += " " + _("The %(shown)d of %(all)s systems with the most items.") % {
            "all": count(len(systems)),
            "shown": MOST_SYSTEMS,
        }
    if shown.goal is not None:
        caption += " " + _("Square: below the goal. Circle: goal reached. Diamond: undecided.")
    title = _("Where raters agree")
    return PicturedFigure(
        key="intervals",
        title=title,
        term="alpha",
        caption=caption,
        picture=interval_chart(
            [*whole, *(_row(part["system"], part["alpha"]) for part in drawn)],
            shown.wording(title, caption),
            shown.goal,
        ),
        heads=heads(_("Labels of"), "α", interval_head(), _("Items with two or more")),
        rows=[
            estimate_cells(TableCell(row.name), row.estimate)
            for row in (*whole, *(_row(part["system"], part["alpha"]) for part in systems))
        ],
        more=shown.page("systems") if systems else "",
    )


def mixed_labels(shown: PageFigures) -> PicturedFigure:
    titles, classes = shown.campaign.annotation_protocol.titles, shown.figures["classes"]
    order, table = classes["order"], classes["coincidences"]
    together = {
        (first, second): 2 * table[first][second]
        for first, second in combinations(range(len(order)), 2)
    }
    total = sum(together.values())
    most = max(together.values(), default=0) or 1
    cells, rows = [], []
    for (first, second), number in sorted(together.items(), key=lambda pair: (-pair[1], pair[0])):
        share = number / (total or 1)
        names = f"{titles[order[first]]} · {titles[order[second]]}"
        address = items_with_both(shown.campaign, order[first], order[second]) if number else ""
        says = _("%(labels)s: %(share)s of all votes that differ") % {
            "labels": names,
            "share": percent(share, 1),
        }
        text = decimals(100 * share, 0) if number else ""
        said = says if number else ""
        cells.append(PairCell(second, first, number / most, text, said, address=address))
        if number:
            name = TableCell(names, address=address, lang="en")
            rows.append([name, TableCell(percent(share, 1), share)])
    title = _("Confused labels")
    caption = _(
        "Share of differing pairs of votes that fall on these two labels. Choose a field to read "
        "its items."
    )
    return PicturedFigure(
        key="mixed",
        title=title,
        term="",
        caption=caption,
        picture=pair_chart([titles[label] for label in order], cells, shown.wording(title, caption))
        if total
        else None,
        heads=heads(_("Labels"), _("Of votes that differ")),
        rows=rows,
        more=shown.page("classes"),
        nothing=_("No two votes on an item differ so far."),
    )


def disagreement(shown: PageFigures) -> PicturedFigure:
    titles, labels = shown.campaign.annotation_protocol.titles, shown.figures["classes"]["labels"]
    named = [(titles[row["label"]], estimate_from_json(row["disagreement"])) for row in labels]
    rows = [
        Interval(name, estimate, estimate_in_words(name, estimate, as_share=True))
        for name, estimate in named
    ]
    title = _("Contradicted labels")
    caption = _(
        "If one vote gives the label, the chance that another vote on the item differs, with its "
        "interval (95 %)."
    )
    return PicturedFigure(
        key="disagreement",
        title=title,
        term="interval",
        caption=caption,
        picture=interval_chart(
            rows, replace(shown.wording(title, caption), number=lambda share, _: percent(share))
        ),
        heads=heads(_("Label"), _("Disagreement"), interval_head(), _("Items with the label")),
        rows=[
            estimate_cells(TableCell(name, lang="en"), estimate, as_share=True)
            for name, estimate in named
        ],
        more=shown.page("classes"),
    )


def over_time(shown: PageFigures) -> PicturedFigure:
    figures = shown.figures["time"]
    moments = [
        Moment(
            start := date.fromisoformat(period["start"]),
            alpha := estimate_from_json(period["alpha"]),
            estimate_in_words(_day(start), alpha),
        )
        for period in figures["periods"]
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
    return PicturedFigure(
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
        heads=heads(_("From"), "α", interval_head(), _("Items with two or more")),
        rows=[
            estimate_cells(TableCell(_day(moment.start), day=moment.start), moment.estimate)
            for moment in moments
        ],
        more=shown.page("time"),
        nothing=_("No rating has a time."),
    )


def _row(name: str, figures: Mapping[str, Any], *, is_whole: bool = False) -> Interval:
    estimate = estimate_from_json(figures)
    return Interval(name, estimate, estimate_in_words(name, estimate), is_whole)


def _day(start: date) -> str:
    return date_format(start, "SHORT_DATE_FORMAT")
