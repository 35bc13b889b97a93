"""How far the raters agree: the report of the command, as a page."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.models import Membership
from tasks.queries.agreement import agreement_of
from tasks.queries.progress import campaign_progress, progress_per_rater
from tasks.queries.votes import labels_by_question_type
from tasks.views.access import RESULTS, member_page
from tasks.views.charts import bar_chart


@require_safe
@member_page(*RESULTS)
def agreement(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    campaign = membership.campaign
    report = agreement_of(campaign)
    titles = {label.value: label.title for label in campaign.annotation_protocol.labels}
    context = {
        "membership": membership,
        "report": report,
        "labels": [
            (title, report.labels[label], report.majority[label]) for label, title in titles.items()
        ],
        "types": [
            (kind, list(counts.values()))
            for kind, counts in labels_by_question_type(campaign).items()
        ],
        "chart": bar_chart(titles, [report.labels, report.majority]),
        "progress": campaign_progress(campaign),
        "raters": progress_per_rater(campaign),
    }
    return render(request, "campaign/agreement.html", context)
