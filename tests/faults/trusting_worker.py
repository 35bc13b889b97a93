"""A worker with its guard removed: it believes that every message is one of ours.

Only for the test that shows that such messages end a worker.
"""

from kombu.transport import TRANSPORT_ALIASES

from annotation_site.celery import app

app.conf.worker_consumer = "celery.worker.consumer:Consumer"
TRANSPORT_ALIASES["filesystem"] = "kombu.transport.filesystem:Transport"
TRANSPORT_ALIASES["redis"] = "kombu.transport.redis:Transport"
