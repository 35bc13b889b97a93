"""Formats of dates, per language, and the labels of forms; numbers are as Django has them."""

from django.forms.boundfield import BoundField
from django.forms.renderers import DjangoTemplates
from django.utils.safestring import SafeString


class _Field(BoundField):
    def label_tag(
        self,
        contents: str | None = None,
        attrs: dict[str, str | bool] | None = None,
        label_suffix: str | None = "",
        tag: str | None = None,
    ) -> SafeString:
        """Without a colon, which makes no sense after a check box."""
        return super().label_tag(contents, attrs, label_suffix, tag)

    def legend_tag(
        self,
        contents: str | None = None,
        attrs: dict[str, str | bool] | None = None,
        label_suffix: str | None = "",
    ) -> SafeString:
        return super().legend_tag(contents, attrs, label_suffix)


class Renderer(DjangoTemplates):
    bound_field_class = _Field
