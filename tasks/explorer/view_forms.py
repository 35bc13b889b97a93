"""Names for what the explorer shows, checked for page and call alike."""

from django import forms
from django.utils.translation import gettext_lazy

from tasks.models import SavedView

MOST_QUERY = 4000  # characters of an address after its question mark
_NAME_LENGTH = SavedView._meta.get_field("name").max_length


class ViewForm(forms.Form):
    """A name for what the explorer shows."""

    name = forms.CharField(max_length=_NAME_LENGTH, label=gettext_lazy("Name of the view"))
    query = forms.CharField(required=False, max_length=MOST_QUERY, widget=forms.HiddenInput)
    is_shared = forms.BooleanField(
        required=False, label=gettext_lazy("Share with the others in this campaign")
    )
