"""Questions to import, and a job that answers them."""

from tasks.jobs.workflow import jobs
from tasks.models import Campaign, Job, JobKind
from tomahto.interchange.reading.records import QuestionRecord, Source


def question(line: int, **changes: object) -> QuestionRecord:
    record = {
        "source": Source("questions.json", line),
        "key": f"q{line}",
        "document": "Lighthouses",
        "text": f"Question {line}?",
        "context": "A passage.",
        "references": ("one", "two"),
        "answer_starts": (0, None),
    }
    return QuestionRecord(**{**record, **changes})  # type: ignore[arg-type]  # named fields


def job_of(campaign: Campaign) -> Job:
    """A job that a worker has begun."""
    job = jobs.enqueue(campaign=campaign, kind=JobKind.ANSWER, parameters={"name": "echo"})
    return jobs.begin(job_id=job.pk) or Job.objects.get(pk=job.pk)
