"""What of a browser pages may use, and which other sites may embed what is answered: nothing."""

from collections.abc import Callable
from wsgiref.headers import Headers

from django.http import HttpRequest, HttpResponseBase

# Pages write to the clipboard, and read nothing of the machine they are shown on.
_REFUSED = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "clipboard-read"),
    *("display-capture", "encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope"),
    *("hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment"),
    *("picture-in-picture", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
)
BROWSER_HEADERS = {
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _REFUSED),
    "Cross-Origin-Resource-Policy": "same-origin",
}
# A static file that is opened by itself runs and loads nothing; on a page the page's policy holds.
_OF_STATIC_FILES = {
    **BROWSER_HEADERS,
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; sandbox",
}


class BrowserHeadersMiddleware:
    """For pages, calls and files; static files have been answered before."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        for name, value in BROWSER_HEADERS.items():
            response.headers[name] = value
        return response


def add_to_static_file(headers: Headers, _path: str, _url: str) -> None:
    """WhiteNoise asks for every static file that it serves."""
    for name, value in _OF_STATIC_FILES.items():
        headers[name] = value
