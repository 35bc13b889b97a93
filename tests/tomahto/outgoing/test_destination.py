"""Reading addresses strictly."""

import pytest

from tomahto.outgoing.destination import Destination, DestinationRefused, read_destination


@pytest.mark.parametrize(
    ("url", "destination", "authority"),
    [
        ("http://a.example", Destination("http", "a.example", 80, "/"), "a.example"),
        ("HTTPS://A.Example.:443/x?y=1", Destination("https", "a.example", 443, "/x?y=1"),
         "a.example"),
        ("http://a.example:8000/v1/", Destination("http", "a.example", 8000, "/v1/"),
         "a.example:8000"),
        ("http://[::1]:8000?q", Destination("http", "::1", 8000, "/?q"), "[::1]:8000"),
        ("https://xn--bcher-kva.example/", Destination("https", "xn--bcher-kva.example", 443, "/"),
         "xn--bcher-kva.example"),
    ],
)  # fmt: skip
def test_a_plain_address_is_read(url: str, destination: Destination, authority: str) -> None:
    found = read_destination(url)
    assert (found, found.authority) == (destination, authority)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("file:///etc/passwd", "file: only http and https are allowed"),
        ("ftp://a.example/", "ftp: only http and https"),
        ("gopher://a.example:70/1", "gopher: only"),
        ("data:text/plain,x", "data: only"),
        ("unix:///run/socket", "unix: only"),
        ("//a.example/", "no scheme: only"),
        ("a.example", "no scheme: only"),
        ("http:///path", "names no host"),
        ("http://:80/", "names no host"),
        ("http://a..example/", "names no host"),
        ("http://.example/", "names no host"),
        ("http://-a.example/", "names no host"),
        ("http://a%2eexample/", "names no host"),
        ("http://" + "a" * 64 + ".example/", "names no host"),
        ("http://" + "a." * 127 + "example/", "names no host"),
        ("http://user:secret@a.example/", "must not contain a user or a password"),
        ("http://a.example@127.0.0.1/", "must not contain a user"),
        ("http://a.example#@127.0.0.1/", "not contain a fragment"),
        ("http://a.example\\@127.0.0.1/", "visible ASCII characters without a backslash"),
        ("http://a.example/\r\nHost: b", "visible ASCII"),
        ("http://a.exa\tmple/", "visible ASCII"),
        ("http://a.example/ x", "visible ASCII"),
        ("http://①②⑦.0.0.1/", "visible ASCII"),
        ("http://bücher.example/", "in punycode"),
        ("http://a.example:0/", "port 0 does not"),
        ("http://a.example:65536/", "cannot be read"),
        ("http://a.example:x/", "cannot be read"),
        ("http://[::1/", "cannot be read"),
        ("http://[v1.x]/", "names no host|cannot be read"),
        ("", "visible ASCII"),
    ],
)
def test_everything_else_is_refused(url: str, reason: str) -> None:
    with pytest.raises(DestinationRefused, match=reason):
        read_destination(url)


def test_a_destination_does_not_show_what_may_be_secret() -> None:
    destination = read_destination("https://a.example/hooks/s3cret?token=s3cret")
    assert f"{destination} {destination!r}" == "https://a.example <Destination https://a.example>"
