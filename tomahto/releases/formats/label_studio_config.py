"""The labelling configuration of a protocol for Label Studio: what is shown, and what is asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree  # nosec B405 - writes XML, reads none

from tomahto.releases.dataset.dataset import Terms

CANDIDATE = "shown_candidate"  # the object that all controls are about
CHOICES, TEXT = "choices", "textarea"  # types of results
_SHOWN = (
    ("Question", "shown_question", "$question"),
    ("Context", "shown_context", "$context"),
    ("References", "shown_references", "$shown_references"),
    ("Candidate", CANDIDATE, "$candidate"),
)


@dataclass(frozen=True, slots=True)
class Control:
    """A question, or the label. Without choices it is answered with a text."""

    name: str
    choices: tuple[str, ...]
    is_multiple: bool = False

    def chosen(self, answer: str) -> list[str]:
        """The choices that a canonical answer is made of."""
        return answer.split("+") if self.is_multiple else [answer]


def controls(terms: Terms) -> Iterator[Control]:
    """One for each question in the order asked, and one for the label, which is a question or
    follows from the answers."""
    schemes = {scheme.key: scheme for scheme in terms.question_schemes}
    for key in terms.question_keys:
        if key == "label":
            continue
        if key in schemes:
            yield Control(key, schemes[key].values, schemes[key].is_multiple)
        else:
            yield Control(key, ())
    yield Control("label", terms.scheme.labels)


def labelling_config(terms: Terms) -> str:
    """The XML. Any question may stay open: a configuration cannot say all that a protocol does of
    when it is asked. The label is required."""
    view = ElementTree.Element("View")
    for title, name, value in _SHOWN:
        ElementTree.SubElement(view, "Header", value=title)
        ElementTree.SubElement(view, "Text", name=name, value=value)
    for control in controls(terms):
        ElementTree.SubElement(view, "Header", value=control.name)
        _add(view, control)
    ElementTree.SubElement(view, "Header", value="rater")
    _add(view, Control("rater", ()))
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def _add(view: ElementTree.Element, control: Control) -> None:
    place = {"name": control.name, "toName": CANDIDATE}
    if not control.choices:
        ElementTree.SubElement(view, "TextArea", place, maxSubmissions="1")
        return
    kind = "multiple" if control.is_multiple else "single"
    required = {"required": "true"} if control.name == "label" else {}
    choices = ElementTree.SubElement(view, "Choices", place, choice=kind, **required)
    for choice in control.choices:
        ElementTree.SubElement(choices, "Choice", value=choice)
