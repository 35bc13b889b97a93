"""What people choose when they make a release."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tomahto.releases.dataset.labels import LabelChoice
from tomahto.releases.dataset.selection import EVERYTHING, Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlan:
    """`split` is written as tomahto.releases.dataset.split_spec reads it; `seed` decides splits,
    ties and intervals; `labels` chooses where the label of an item comes from
    (tomahto.releases.dataset.labels), and `selection` what is left out
    (tomahto.releases.dataset.selection); `formats` names further formats to write
    (tomahto.releases.formats.formats), None those that are the default. `requires_datasheet`:
    refuse if the datasheet is incomplete.

    `comments`: what raters added in words is released. `personal_data_reason` says why it may be
    although it may hold personal data; empty if it may not.
    """

    version: str
    split: str
    seed: int
    labels: LabelChoice = "majority"
    comments: bool = False
    personal_data_reason: str = ""
    selection: Selection = EVERYTHING
    formats: tuple[str, ...] | None = None
    requires_datasheet: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"selection": self.selection.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ReleasePlan":
        """The plan in the parameters of a job; what older jobs do not say is as it was then.

        Raises ReleaseError if the selection is none.
        """
        selection, formats = data.get("selection"), data.get("formats", ())
        read = EVERYTHING if selection is None else Selection.from_json(selection)
        chosen = None if formats is None else tuple(formats)
        return cls(**{**data, "selection": read, "formats": chosen})
