"""Numbers as people read them, in their language. The only place where anything is rounded."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def decimals(value: float | None, places: int = 2) -> str:
    """A fixed number of decimals, with a true minus sign; "" for None."""
    if value is None:
        return ""
    # rounded here: Django cuts what is too long, and writes −0
    text = f"{value:.{places}f}"
    text = number_format(text if float(text) else text.removeprefix("-"), places)
    return text.replace("-", "−")


def percent(share: float | None, places: int = 0) -> str:
    """A share from 0 to 1, or a difference of two, in per cent; "" for None."""
    return "" if share is None else f"{decimals(100 * share, places)} %"


def points(difference: float | None, places: int = 1) -> str:
    """A difference of shares in percentage points, without the unit; "" for None."""
    return "" if difference is None else decimals(100 * difference, places)


def number_or_share(value: float, *, as_share: bool) -> str:
    """A number with three decimals, or a share in per cent with one."""
    return percent(value, 1) if as_share else decimals(value, 3)


def from_to(low: float | None, high: float | None, *, as_share: bool) -> str:
    """The ends of an interval in the same way; "" where there is none."""
    if low is None or high is None:
        return ""
    return _("%(low)s to %(high)s") % {
        "low": number_or_share(low, as_share=as_share),
        "high": number_or_share(high, as_share=as_share),
    }


def count(value: int) -> str:
    """A whole number with its thousands apart."""
    return number_format(value, force_grouping=True)


def full(value: float, unit: str = "") -> str:
    """A number with all of its decimals, its thousands apart and its unit, as along an axis."""
    text = number_format(Decimal(f"{value:.10g}"), force_grouping=True)
    return f"{text} {unit}".strip().replace("-", "−")


def duration(seconds: float | None) -> str:
    """Time a person spent, as in 45 s, 3 min 20 s or 2 h 05 min; "" for None."""
    if seconds is None:
        return ""
    total = round(seconds)
    if total < 60:
        return _("%(seconds)d s") % {"seconds": total}
    if total < 3600:
        return _("%(minutes)d min %(seconds)02d s") % {
            "minutes": total // 60,
            "seconds": total % 60,
        }
    return _("%(hours)d h %(minutes)02d min") % {
        "hours": total // 3600,
        "minutes": total % 3600 // 60,
    }
