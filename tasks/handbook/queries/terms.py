"""Terms of statistics that pages use, each explained in two plain sentences."""

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


class Term(NamedTuple):
    """A term's name and meaning, and the `section` of the documentation that says more."""

    name: "StrPromise | str"
    meaning: "StrPromise"
    section: str


TERMS = {
    "alpha": Term(
        _("Krippendorff’s α"),
        _(
            "How far raters agree beyond chance: 1 is perfect agreement, 0 is what chance "
            "alone would produce. It handles any number of raters and missing ratings."
        ),
        "dashboards.md#agreement",
    ),
    "kappa": Term(
        _("Kappa (κ)"),
        _(
            "How far two raters, or a rater and all the others, agree beyond chance on the "
            "same items. With weights, a near miss on an ordered scale counts more than a "
            "far one."
        ),
        "dashboards.md#agreement",
    ),
    "ac1": Term(
        _("Gwet’s AC1"),
        _(
            "How far raters agree beyond chance, with a different notion of chance than α. "
            "It stays high where nearly all items get the same label and raters nearly "
            "always agree."
        ),
        "dashboards.md#agreement",
    ),
    "interval": Term(
        _("Interval (95 %)"),
        _(
            "A range that contains the true value in 95 of 100 studies like this one. It "
            "narrows as more items are rated."
        ),
        "estimates.md#method",
    ),
    "pair_agreement": Term(
        _("Share that agrees"),
        _(
            "How often ratings of the same item are equal, with no allowance for chance. It "
            "is easy to read, but high whenever one label is much more frequent than the "
            "others."
        ),
        "dashboards.md#agreement",
    ),
    "tie": Term(
        _("Tie"),
        _(
            "Two or more labels share the most votes, so the item has no majority label. An "
            "adjudicator can decide; a release of majority labels draws one by its seed and "
            "says so."
        ),
        "adjudication.md#the-queue",
    ),
    "epsilon": Term(
        "ε",
        _(
            "How much worse than a rater a matcher may be and still count as a replacement. "
            "It reflects what a rater costs: 0.2 for experts, 0.1 for crowds."
        ),
        "dashboards.md#instead-of-a-rater",
    ),
    "ppi": Term(
        _("Prediction-powered inference"),
        _(
            "Uses a matcher’s scores for answers that nobody has judged, and corrects them "
            "by their error on judged ones. The interval is valid however bad the matcher "
            "is."
        ),
        "dashboards.md#with-predictions",
    ),
    "conformal": Term(
        _("Conformal answer sets"),
        _(
            "For each question, a set of answers that contains an admissible one as often as"
            " you asked for. Hard questions get larger sets than easy ones."
        ),
        "lab-answer-sets.md#definitions",
    ),
    "forecast": Term(
        _("Forecast"),
        _(
            "The day on which the last rating is expected if people continue as in recent "
            "weeks. It is based on whole days up to yesterday."
        ),
        "dashboards.md#progress",
    ),
}
