from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from tasks.management.command import TomahtoCommand


class Command(TomahtoCommand):
    help = (
        "Update the translation files from the texts of the interface, compile them and list the "
        "texts left to translate. Fails if there are any."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only list, write nothing")

    def work(self, **options: Any) -> dict[str, Any]:
        try:
            from tasks.management import translations
        except ModuleNotFoundError as error:
            raise CommandError("this needs Babel: call it as ./run translations") from error
        found = list(translations.texts_in(settings.BASE_DIR))
        others = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
        result: dict[str, Any] = {"texts": len({(each.context, each.singular) for each in found})}
        for language in translations.languages(others, settings.LOCALE_PATHS[0]):
            if not options["check"]:
                translations.update(language, found)
            result[language.code] = translations.faults(language, found)
        return result

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for code, faults in _by_language(result).items():
            yield f"{code}: {len(faults) or 'nothing'} to do for {result['texts']} texts"
            yield from faults

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        return any(_by_language(result).values())


def _by_language(result: Mapping[str, Any]) -> dict[str, list[str]]:
    return {code: faults for code, faults in result.items() if code != "texts"}
