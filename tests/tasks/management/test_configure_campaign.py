from tasks.models import Campaign, Slot
from tests.tasks.conftest import MakeCampaign
from tests.tasks.management.conftest import Manage


def test_configure_changes_what_is_named_and_nothing_else(
    manage: Manage, make_campaign: MakeCampaign
) -> None:
    campaign = make_campaign(items=2, overlap=2)
    printed = manage.json(
        *("configure_campaign", campaign.slug, "--overlap", "3", "--order", "oldest"),
        *("--rater-quota", "50", "--system-overlap", "juniper=4"),
    )
    assert printed == {
        "title": campaign.title,
        "description": "",
        "language": "en",
        "state": "open",
        "suggestions": "hidden",
        "suggestion_matcher": "feather",
        "overlap": 3,
        "exact_rule": "strict",
        "item_order": "oldest",
        "rater_quota": 50,
        "control_every": 0,
        "shows_differences": True,
        "passages_are_markdown": False,
        "form_languages": "",
        "adjudicates_blind": True,
        "mail_sender_name": "",
        "mail_reply_to": "",
        "system_overlap": {"juniper": 4},
    }
    assert Slot.objects.filter(campaign=campaign).count() == 8
    again = manage.json("configure_campaign", campaign.slug, "--rater-quota", "none")
    assert again == printed | {"rater_quota": None}
    unmarked = manage.json("configure_campaign", campaign.slug, "--no-shows-differences")
    assert unmarked["shows_differences"] is False
    markdown = manage.json("configure_campaign", campaign.slug, "--passages-are-markdown")
    assert markdown["passages_are_markdown"] is True
    by_paper = manage.json("configure_campaign", campaign.slug, "--exact-rule", "squad")
    assert by_paper["exact_rule"] == "squad"
    sighted = manage.json("configure_campaign", campaign.slug, "--no-adjudicates-blind")
    assert sighted["adjudicates_blind"] is False
    arabic = manage.json("configure_campaign", campaign.slug, "--language", "ar")
    assert arabic["language"] == "ar"
    german = manage.json("configure_campaign", campaign.slug, "--form-languages", "de")
    assert german["form_languages"] == "de"
    mails = ("--mail-sender-name", "River lab", "--mail-reply-to", "lab@example.org")
    named = manage.json("configure_campaign", campaign.slug, *mails)
    assert (named["mail_sender_name"], named["mail_reply_to"]) == ("River lab", "lab@example.org")
    back = manage.json("configure_campaign", campaign.slug, "-s", "juniper=none")
    assert back["system_overlap"] == {"juniper": None}
    assert Slot.objects.filter(campaign=campaign).count() == 6


def test_configure_refuses_wrong_values_and_changes_nothing(
    manage: Manage, make_campaign: MakeCampaign
) -> None:
    campaign = make_campaign(items=1, overlap=2)
    slug = campaign.slug
    assert "overlap" in manage.error("configure_campaign", slug, "--overlap", "101")
    stranger = ("--overlap", "3", "-s", "nobody=2")
    assert "no system 'nobody'" in manage.error("configure_campaign", slug, *stranger)
    two_headers = "River lab\nBcc: everybody@example.org"
    assert "mail_sender_name" in manage.error(
        "configure_campaign", slug, "--mail-sender-name", two_headers
    )
    no_code = manage.error("configure_campaign", slug, "--language", "Arabic!")
    assert (
        no_code == "CommandError: language: enter the code of a language, such as ar or zh-Hant\n"
    )
    klingon = manage.error("configure_campaign", slug, "--form-languages", "de tlh")
    assert "the form does not exist in 'tlh'; choose from de" in klingon
    wrong = manage.error("configure_campaign", slug, "--rater-quota", "few", code=2)
    assert "'few' is neither a whole number nor none" in wrong
    assert Campaign.objects.get().overlap == 2
    assert Slot.objects.count() == 2
