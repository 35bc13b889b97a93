"""How a field of a form is laid out, wherever it stands: label, error, input, hint."""

from django.forms.renderers import TemplatesSetting


class Renderer(TemplatesSetting):
    """Templates of the site come before those of Django."""

    field_template_name = "form_field.html"
