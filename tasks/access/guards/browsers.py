"""Which browser and system a request comes from, in words that people know.

Browsers name others in their User-Agent, so the order of these tables matters: the first name that
occurs is the one. Whoever lies is shown as what they say.
"""

from django.http import HttpRequest

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi/", "Vivaldi"),
    ("YaBrowser/", "Yandex Browser"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("DuckDuckGo/", "DuckDuckGo"),
    ("Ddg/", "DuckDuckGo"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def browser_of(request: HttpRequest) -> tuple[str, str]:
    """The names of browser and system, empty for one that is not known."""
    agent = request.headers.get("User-Agent", "")
    return _first(_BROWSERS, agent), _first(_SYSTEMS, agent)


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for sign, name in names if sign in agent), "")
