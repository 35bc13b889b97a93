import json
from typing import Any

import pytest

from exporters.planned_release import ReleasePlan
from tomahto.releases.dataset.choices import EVERYTHING, Selection

SELECTIONS = (
    EVERYTHING,
    Selection(guideline_versions=(3, 1), consented_only=True),
    Selection(without_controls=True, without_deactivated=True),
)


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("formats", [None, (), ("squad", "doccano")])
def test_plan_comes_back_from_the_parameters_of_a_job(
    formats: tuple[str, ...] | None, selection: Selection
) -> None:
    plan = ReleasePlan(
        version="1.0.0",
        split="folds:3",
        seed=1,
        formats=formats,
        selection=selection,
        requires_datasheet=selection is not EVERYTHING,
    )
    assert ReleasePlan.from_json(json.loads(json.dumps(plan.as_json()))) == plan


def test_plan_of_a_job_from_before_leaves_nothing_out_and_has_no_further_formats() -> None:
    older: dict[str, Any] = {"version": "1.0.0", "split": "document:test=100", "seed": 1}
    assert ReleasePlan.from_json(older) == ReleasePlan(**older, formats=())
