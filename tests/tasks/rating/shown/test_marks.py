"""Texts with marks as HTML."""

from tasks.rating.shown.markdown import marked
from tasks.rating.shown.reading import Segment


def test_marked_draws_every_mark_and_escapes_the_text() -> None:
    segments = [Segment("a\n<b>"), Segment("c", "own"), Segment("<d>", "reference")]
    assert marked(segments) == (
        'a\n&lt;b&gt;<span class="own">c</span><mark class="reference">&lt;d&gt;</mark>'
    )
