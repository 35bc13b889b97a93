"""A measure whose result is a section of a report too."""

from typing import Any

from tasks.management.evaluation.measure import Result
from tomahto.lab.report import Section


class SectionResult(dict[str, Any]):
    """The values that programs read, with the section whose tables people read."""

    def __init__(self, values: Result, section: Section) -> None:
        super().__init__(values)
        self.section = section
