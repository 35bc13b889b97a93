"""Looks for hard texts by the code they reach: `python -m tests.tasks.rating.shown.guided SECONDS`.

Needs atheris, of which there are wheels for Linux on x86_64 only. Ends with another status than 0
where a renderer fails `check`; libFuzzer then prints the text and writes it to the working folder.
"""

import importlib
import os
import sys


def main(seconds: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["markdown_it", "latex2mathml", "tasks.rating.shown"]):
        import django

        django.setup()
        from hypothesis import given, settings

        from tests.tasks.rating.shown.hard_texts import HardText, hard_texts
        from tests.tasks.rating.shown.test_fuzzed_renderers import RENDERERS, draw

    @settings(database=None, deadline=None)
    @given(hard_texts, hard_texts, hard_texts)
    def drawn(passage: HardText, reference: HardText, candidate: HardText) -> None:
        for name in RENDERERS:
            draw(name, passage, reference, candidate)

    fuzz = drawn.hypothesis.fuzz_one_input  # type: ignore[attr-defined]  # of what @given makes
    atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", "-max_len=4096"], fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main(int(sys.argv[1]))
