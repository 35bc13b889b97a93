"""The job that has an answerer answer a campaign's questions."""

from typing import Any

from tasks.intake.workflow.candidates import answer_questions
from tasks.jobs.registry import does
from tasks.jobs.workflow.jobs import report_batches
from tasks.models import Job, JobKind
from tomahto.answerers.registry import UnknownAnswererError, load_answerer
from tomahto.endpoint.reply import EndpointRefused
from tomahto.pretrained.files import ModelError


@does(JobKind.ANSWER, final=(UnknownAnswererError, EndpointRefused, ModelError))
def answer(job: Job) -> dict[str, Any]:
    answerer = load_answerer(job.parameters["name"])
    left = answer_questions(job=job, answerer=answerer)
    total = report_batches(job, left, job.campaign.questions)
    return {"answerer": answerer.name, "version": answerer.version, "questions": total}
