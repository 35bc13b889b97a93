"""Items with a label, to be placed in splits."""

from dataclasses import replace

from tests.exporters.samples import item
from tomahto.releases.dataset.placement import LabelledItem


def labelled(
    id_: str, document: str, question: str, label: str = "right", systems: tuple[str, ...] = ("s",)
) -> LabelledItem:
    record = item(id_, document, question=question, systems=systems)
    return LabelledItem(replace(record, question=question), label)
