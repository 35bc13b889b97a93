"""What the dataset card says of the further formats."""

from collections.abc import Iterator, Sequence

from tomahto.releases.formats.formats import FORMATS


def format_sections(names: Sequence[str]) -> Iterator[str]:
    """One section on the formats of these names; none if there are none."""
    if names:
        lines = [f"- `{FORMATS[name].folder}/`: {FORMATS[name].meaning}." for name in names]
        yield "\n".join(["## Further formats", "", *lines])
