"""What admins type as the words of a form in another language."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.campaigns.workflow.wording import MAX_TEXT
from tasks.models import Campaign
from tasks.protocols.wording import ORIGINAL, Texts, form_texts


class WordingForm(forms.Form):
    """A field for every text of the form, under the original."""

    def __init__(
        self, *args: Any, campaign: Campaign, language: str, texts: Texts, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        originals = form_texts(campaign.annotation_protocol)
        self._originals = {f"text-{place}": text for place, text in enumerate(originals, start=1)}
        for name, original in self._originals.items():
            self.fields[name] = forms.CharField(
                label=original,
                max_length=MAX_TEXT,
                initial=texts.get(original, ""),
                widget=forms.Textarea(
                    attrs={"rows": 2, "lang": language, "dir": "auto", "spellcheck": "true"}
                ),
                error_messages={"required": _("This text of the form has no translation yet.")},
            )

    @property
    def original_language(self) -> str:
        return ORIGINAL

    def texts(self) -> Mapping[str, str]:
        """The wording by the original text."""
        return {text: self.cleaned_data[name] for name, text in self._originals.items()}
