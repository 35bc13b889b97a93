"""What raters answered to control items, whose answers are known."""

from django.db.models import Count, F, Q

from tasks.models import Campaign, ItemPurpose, Rating
from tasks.votes.blindness import for_reader


def control_answers(campaign: Campaign) -> dict[str, tuple[int, int]]:
    """How many answers had the expected label, of how many, by pseudonym in its order.

    First answers count: who has noticed that an item checks them may have gone back to it.
    Raters without any are left out.
    """
    as_expected = Q(outcome__label=F("item__expected__outcome__label"))
    given = Rating.objects.filter(
        item__campaign=campaign,
        item__purpose=ItemPurpose.CONTROL,
        item__expected__isnull=False,
        supersedes=None,
    )
    answers = (
        for_reader(given, campaign)
        .values_list("rater__pseudonym")
        .annotate(right=Count("id", filter=as_expected), given=Count("id"))
        .order_by()
    )
    return {rater: (right, given) for rater, right, given in sorted(answers)}
