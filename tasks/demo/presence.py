"""Whether the demo has been loaded. Apart from what loads it: every start of ./run asks."""

from tasks.models import Campaign


def is_demo_there() -> bool:
    return Campaign.objects.filter(slug="demo-ae").exists()
