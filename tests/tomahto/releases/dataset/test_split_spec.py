import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.releases.dataset.choices import (
    SYNTAX,
    SplitError,
    check_split_spec,
    format_split_spec,
    parse_split_spec,
)
from tomahto.releases.records.records import SplitSpec

DEV_TEST = {"dev": 30.0, "test": 70.0}


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("document:dev=30,test=70", SplitSpec("document", DEV_TEST)),
        (
            "document:a_1=33.333,b=33.333,c=33.334",
            SplitSpec("document", {"a_1": 33.333, "b": 33.333, "c": 33.334}),
        ),
        (
            "document:dev=30,test=70:stratify=label:leaks=report",
            SplitSpec("document", DEV_TEST, stratified=True, reports_leaks=True),
        ),
        (
            "document:dev=30,test=70:leaks=report:keep=train,extra",
            SplitSpec("document", DEV_TEST, reports_leaks=True, kept=("extra", "train")),
        ),
        ("folds:4", SplitSpec("folds", dict.fromkeys(("fold1", "fold2", "fold3", "fold4"), 25.0))),
        (
            "folds:2:stratify=label",
            SplitSpec("folds", {"fold1": 50.0, "fold2": 50.0}, stratified=True),
        ),
        (
            "system:dev=bidaf,test=xlnet+luke:others=omit",
            SplitSpec(
                "system", {}, {"dev": ("bidaf",), "test": ("luke", "xlnet")}, omits_others=True
            ),
        ),
        ("system:dev=t5%2Blarge%3A1", SplitSpec("system", {}, {"dev": ("t5+large:1",)})),
        ("predefined", SplitSpec("predefined", {})),
        ("predefined:others=omit", SplitSpec("predefined", {}, omits_others=True)),
        (
            "predefined:train,dev:others=omit",
            SplitSpec("predefined", {}, predefined=("train", "dev"), omits_others=True),
        ),
    ],
)
def test_parse_split_spec_reads_every_kind(text: str, spec: SplitSpec) -> None:
    assert parse_split_spec(text) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dev=30,test=70", f"split 'dev=30,test=70' is not written like {SYNTAX}"),
        ("document", f"split 'document' is not written like {SYNTAX}"),
        ("predefined:", "split name '' may hold only a-z, 0-9 and _"),
        ("predefined:dev,dev", "split 'predefined:dev,dev': 'dev' is named twice"),
        ("predefined:dev,Test", "split name 'Test' may hold only a-z, 0-9 and _"),
        ("predefined:all", "a split cannot be called 'all': `datasets` means every split by it"),
        (
            "predefined:dev:leaks=report",
            (
                "split 'predefined:dev:leaks=report': 'leaks=report' is not an option of "
                "predefined; its options are others=omit"
            ),
        ),
        (
            "predefined:dev=30,test=70",
            (
                "split 'predefined:dev=30,test=70': 'dev=30,test=70' is not an option of "
                "predefined; its options are others=omit"
            ),
        ),
        ("document:train=100:keep=train", "split 'train' is named twice"),
        ("folds:2:keep=a:keep=a", "split 'a' is named twice"),
        ("folds:2:keep=", "split name '' may hold only a-z, 0-9 and _"),
        ("document:a=100:keep=B", "split name 'B' may hold only a-z, 0-9 and _"),
        (
            "predefined:keep=dev",
            (
                "split 'predefined:keep=dev': 'keep=dev' is not an option of predefined; its "
                "options are others=omit"
            ),
        ),
        ("luck:a=100", f"split 'luck:a=100' is not written like {SYNTAX}"),
        ("document:", "split 'document:': '' is not written like NAME=PERCENT"),
        ("document:a=1e2", "split 'document:a=1e2': 'a=1e2' is not written like NAME=PERCENT"),
        ("document:a=-1", "split 'document:a=-1': 'a=-1' is not written like NAME=PERCENT"),
        ("document:a=nan", "split 'document:a=nan': 'a=nan' is not written like NAME=PERCENT"),
        ("document:a=50,a=50", "split 'document:a=50,a=50': 'a' is named twice"),
        ("document:A=100", "split name 'A' may hold only a-z, 0-9 and _"),
        ("document:dev-1=100", "split name 'dev-1' may hold only a-z, 0-9 and _"),
        ("document:=100", "split name '' may hold only a-z, 0-9 and _"),
        ("document:all=100", "a split cannot be called 'all': `datasets` means every split by it"),
        ("system:all=a", "a split cannot be called 'all': `datasets` means every split by it"),
        ("document:a=0,b=100", "split 'a' has the share 0.0; a share is above 0"),
        ("document:a=30,b=60", "the shares sum to 90, not to 100"),
        ("document:a=99.98", "the shares sum to 99.98, not to 100"),
        (
            "document:a=100:others=omit",
            (
                "split 'document:a=100:others=omit': 'others=omit' is not an option of document; "
                "its options are stratify=label, leaks=report, keep=SPLIT"
            ),
        ),
        (
            "system:a=b:stratify=label",
            (
                "split 'system:a=b:stratify=label': 'stratify=label' is not an option of system; "
                "its options are others=omit"
            ),
        ),
        ("folds:1", "split 'folds:1': folds are a number from 2 to 100, as in folds:5"),
        ("folds:101", "split 'folds:101': folds are a number from 2 to 100, as in folds:5"),
        ("folds:five", "split 'folds:five': folds are a number from 2 to 100, as in folds:5"),
        ("system:", "split 'system:': '' is not written like NAME=SYSTEM+SYSTEM"),
        ("system:dev=", "split 'system:dev=': 'dev=' is not written like NAME=SYSTEM+SYSTEM"),
        ("system:dev=a+", "split 'dev' names a system without a name"),
        ("system:dev=a+a", "split 'dev' names a system twice"),
    ],
)
def test_parse_split_spec_says_in_one_line_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(SplitError) as caught:
        parse_split_spec(text)
    assert str(caught.value) == message


def test_check_split_spec_refuses_a_specification_without_splits() -> None:
    with pytest.raises(SplitError, match="the shares sum to 0, not to 100"):
        check_split_spec(SplitSpec("document", {}))
    kinds = "document, folds, system, predefined"
    with pytest.raises(SplitError, match=f"splits are made by {kinds}, not by 'a'"):
        check_split_spec(SplitSpec("a", {}))


@given(st.lists(st.floats(0.001, 100), min_size=1, max_size=5), st.booleans(), st.booleans())
def test_format_of_shares_is_read_back_as_the_same(
    weights: list[float], stratified: bool, reports_leaks: bool
) -> None:
    total = sum(weights)
    shares = {f"s{n}": 100 * weight / total for n, weight in enumerate(weights)}
    spec = SplitSpec(
        "document",
        shares,
        stratified=stratified,
        reports_leaks=reports_leaks,
        kept=("train",) if stratified else (),
    )
    assert parse_split_spec(format_split_spec(spec)) == spec


@given(st.integers(2, 100))
def test_format_of_folds_is_read_back_as_the_same(folds: int) -> None:
    assert format_split_spec(parse_split_spec(f"folds:{folds}")) == f"folds:{folds}"


systems = st.sets(st.text("aé,+=:% ", min_size=1, max_size=6), min_size=1, max_size=3)


@given(st.lists(systems, min_size=1, max_size=3), st.booleans())
def test_format_of_systems_is_read_back_as_the_same(named: list[set[str]], omits: bool) -> None:
    splits = {f"s{n}": tuple(sorted(found)) for n, found in enumerate(named)}
    spec = SplitSpec("system", {}, splits, omits_others=omits)
    assert parse_split_spec(format_split_spec(spec)) == spec


@given(st.lists(st.text("bz09_", min_size=1, max_size=9), unique=True), st.booleans())
def test_format_of_predefined_splits_is_read_back_as_the_same(
    names: list[str], omits_others: bool
) -> None:
    spec = SplitSpec("predefined", {}, predefined=tuple(names), omits_others=omits_others)
    assert parse_split_spec(format_split_spec(spec)) == spec
