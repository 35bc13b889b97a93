"""A message to a worker says which request sent it."""

from collections.abc import Iterator
from typing import Any

import pytest

from annotation_site.celery import (
    app,
    forget_request_id,
    take_request_id_over,
)
from annotation_site.request_log import current_request_id
from tasks.jobs.work import run_job


@pytest.fixture
def asked() -> Iterator[str]:
    """A request is being answered."""
    token = current_request_id.set("proxy-0001")
    yield "proxy-0001"
    current_request_id.reset(token)


def sent_headers() -> dict[str, Any]:
    """Send a message the way every message is sent, and take it off the queue again."""
    with app.connection_for_write("memory://") as broker:
        run_job.apply_async((1,), connection=broker)  # type: ignore[call-arg]  # Celery knows it
        message = broker.SimpleQueue("celery").get(block=False)
        message.ack()
        headers: dict[str, Any] = message.headers
        return headers


def test_job_takes_the_id_over_and_forgets_it(asked: str) -> None:
    headers = sent_headers()
    current_request_id.set("")
    run_job.push_request(**headers)
    try:
        take_request_id_over(task=run_job)
        assert current_request_id.get() == asked
        forget_request_id()
        assert current_request_id.get() == ""
    finally:
        run_job.pop_request()


def test_message_that_no_request_sent_has_none() -> None:
    run_job.push_request(**sent_headers())
    try:
        take_request_id_over(task=run_job)
        assert current_request_id.get() == ""
    finally:
        run_job.pop_request()
