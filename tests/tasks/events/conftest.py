"""A broker that takes messages and brings them to nobody."""

import pytest


@pytest.fixture(autouse=True)
def _nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "annotation_site.celery.app.send_task", lambda *_arguments, **_options: None
    )
