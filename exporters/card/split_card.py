"""What the dataset card says of the splits, in sentences."""

from collections.abc import Mapping
from typing import Any

from tomahto.figures.markdown import code, escaped
from tomahto.releases.dataset.split_spec import format_split_spec
from tomahto.releases.records.records import SplitSpec


def split_paragraphs(spec: SplitSpec, seed: int, report: Mapping[str, Any]) -> str:
    """How it was split and what came of it; `report` is that of `split_report`."""
    return (
        f"Split by {code(format_split_spec(spec))} with the seed {seed}: {_sides(spec, report)}\n\n"
        f"{_labels(spec, report)} The whole report is `splits.json`."
    )


def _sides(spec: SplitSpec, report: Mapping[str, Any]) -> str:
    if spec.by == "predefined":
        return _predefined(report)
    return _by_system(spec, report) if spec.by == "system" else _whole_documents(spec, report)


def _predefined(report: Mapping[str, Any]) -> str:
    near, parted = report["near_duplicates"], len(report["parted_documents"])
    return (
        "every item is in the split of its question in the source, whatever that leaves on two "
        f"sides. Of {report['documents']} documents {parted} are in several splits. Groups of "
        f"near-duplicate questions (token Jaccard of {near['threshold']} or more): "
        f"{near['groups']}, of which {len(report['leaks'])} are on two sides."
    )


def _whole_documents(spec: SplitSpec, report: Mapping[str, Any]) -> str:
    shares = "all folds have equal shares" if spec.by == "folds" else "the shares are"
    rest = _kept(report) if spec.kept else ""
    near, leaks = report["near_duplicates"], len(report["leaks"])
    kept = (
        f"**{leaks} of them are on two sides**, since {_unmoved(spec)} not move"
        if leaks
        else "no document and no such group is on two sides"
    )
    return (
        f"{rest}{shares} of items, and all items of a document are in one split."
        f" {report['documents']} documents make {report['groups']} groups that stay together, the"
        f" largest of {report['largest_group']['items']} items. Groups of near-duplicate questions"
        f" (token Jaccard of {near['threshold']} or more): {near['groups']}, of which"
        f" {len(near['across_documents'])} are asked of several documents; {kept}."
    )


def _kept(report: Mapping[str, Any]) -> str:
    kept = " and ".join(f"`{name}` ({count} documents)" for name, count in report["kept"].items())
    parted = len(report["parted_documents"])
    also = f" **{parted} documents are also in another split.**" if parted else ""
    return f"kept as in the source: {kept}; the rest is divided.{also} Of the rest, "


def _unmoved(spec: SplitSpec) -> str:
    released = "documents that were released do"
    return f"documents in a kept split and {released}" if spec.kept else released


def _by_system(spec: SplitSpec, report: Mapping[str, Any]) -> str:
    systems = "; ".join(
        f"{name}: {', '.join(map(escaped, found))}" for name, found in spec.systems.items()
    )
    return (
        f"a split has the items of its systems ({systems}). An item of several systems is in each"
        f" of their splits: {report['items_in_several_splits']} items are in several, and"
        f" {report['documents_in_several_splits']} documents."
    )


def _labels(spec: SplitSpec, report: Mapping[str, Any]) -> str:
    found = report["largest_label_deviation"]
    text = (
        f"The labels of a split are furthest from those of all splits together in {found['split']}:"
        f" {100 * found['share']:.1f} % of its items are `{found['label']}`,"
        f" {100 * found['share_of_all']:.1f} % of all."
    )
    if not spec.stratified:
        return text
    missed = [f"`{each['label']}` in {each['split']}" for each in report["not_reached"]]
    limit = f" Documents that stay whole did not allow the share of {', '.join(missed)}."
    return f"Labels were stratified. {text}{limit if missed else ''}"
