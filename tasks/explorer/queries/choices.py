"""What a campaign's items can be filtered by: names that are offered, quickly read."""

from tasks.models import Campaign, Guideline, ItemScore, Membership, Question, Role, System, Tag

_FIRST_QUESTIONS = 1000
_MOST_NAMES = 50


def choices_of(campaign: Campaign) -> dict[str, list[str]]:
    """Raters by pseudonym, versions of the guidelines, systems, tags and matchers; of documents,
    types and splits those that the first thousand questions have."""
    systems = System.objects.filter(campaign=campaign).order_by("name")
    raters = Membership.objects.filter(campaign=campaign, role=Role.RATER).order_by("pseudonym")
    versions = Guideline.objects.filter(campaign=campaign).order_by("version")
    return {
        "guidelines": [str(version) for version in versions.values_list("version", flat=True)],
        "raters": list(raters.values_list("pseudonym", flat=True)),
        "systems": list(systems.values_list("name", flat=True)),
        "tags": list(
            Tag.objects.filter(campaign=campaign).order_by("name").values_list("name", flat=True)
        ),
        "matchers": matchers_of(campaign),
        **_of_questions(campaign),
    }


def matchers_of(campaign: Campaign) -> list[str]:
    """Those that have scored items, each found by one look at the index."""
    found: list[str] = []
    scores = ItemScore.objects.filter(campaign=campaign).order_by("matcher")
    while True:
        later = scores.filter(matcher__gt=found[-1]) if found else scores
        name = later.values_list("matcher", flat=True).first()
        if name is None:
            return found
        found.append(name)


def _of_questions(campaign: Campaign) -> dict[str, list[str]]:
    names = ("document__key", "question_type", "split")
    first = Question.objects.filter(campaign=campaign).order_by("pk").values_list(*names)
    columns = zip(*first[:_FIRST_QUESTIONS], strict=True)
    listed = [sorted(set(column) - {""})[:_MOST_NAMES] for column in columns] or [[], [], []]
    return dict(zip(("documents", "question_types", "splits"), listed, strict=True))
