"""Texts that a model wrote and nobody has reviewed."""

from tasks.models import Campaign, GeneratedKind, GeneratedText, Question


def draft(campaign: Campaign, text: str, **changes: object) -> GeneratedText:
    source = Question.objects.get(campaign=campaign)
    fields = {
        "campaign": campaign,
        "kind": GeneratedKind.CANDIDATES,
        "target": "partial",
        "source": source,
        "question": source.text,
        "reference": source.references[0],
        "candidate": text,
        "system": "finch-7b",
        "provenance": {"raw_reply": f'["{text}"]', "prompt": "candidate-1:a"},
        "fingerprint": text[:64],
    }
    return GeneratedText.objects.create(**{**fields, **changes})


def states(campaign: Campaign) -> list[str]:
    texts = GeneratedText.objects.filter(campaign=campaign).order_by("id")
    return list(texts.values_list("state", flat=True))
