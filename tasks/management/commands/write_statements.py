import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand, campaign_named, output_file
from tasks.models import Campaign
from tasks.storing.database import batches
from tomahto.interchange.judgements.pairs import ToState, read_to_state
from tomahto.statements.generator import QuestionAnswer, load_statement_generator
from tomahto.text.normalisation import plain_name


class Command(TomahtoCommand):
    help = (
        "Write a statement for each question and answer with a trained generator, as items to be "
        "validated by `import_items`. Needs torch."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "source",
            metavar="FILE|RELEASE:SPLIT|SLUG",
            help='JSON lines of {"question", "answer" | "references"}; or a release; or a '
            "campaign, with the first reference of each question",
        )
        parser.add_argument(
            "--model", required=True, metavar="DIR", help="what train_statements made"
        )
        parser.add_argument("--out", required=True, type=Path, metavar="FILE")
        parser.add_argument(
            "--system", metavar="NAME", help="author of the statements; default the folder's name"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        # the first of each question with its answer: a release has an item for every candidate
        first: dict[tuple[Any, QuestionAnswer], ToState] = {}
        for row in _rows(options["source"]):
            first.setdefault((row.details.get("question_id"), row.pair), row)
        rows = list(first.values())
        generator = load_statement_generator(options["model"])
        system = plain_name(options["system"] or Path(options["model"]).name)
        with output_file(options["out"]) as file:
            for batch in batches(self.counted(rows, "statements")):
                written = generator.statements([row.pair for row in batch])
                for row, statement in zip(batch, written, strict=True):
                    item = {
                        **row.details,
                        "question": row.pair.question,
                        "references": [row.pair.answer],
                        "candidate": statement,
                        "system": system,
                    }
                    file.write(f"{json.dumps(item, ensure_ascii=False)}\n")
        return {"statements": len(rows), "system": system, "path": str(options["out"])}


def _rows(source: str) -> Iterator[ToState]:
    if Path(source).exists() or not Campaign.objects.filter(slug=source).exists():
        yield from read_to_state(Path(source))
        return
    campaign = campaign_named(source)

    questions = campaign.questions.select_related("document").exclude(references=[])
    for question in questions.order_by("key"):
        details = {
            "document": question.document.key,
            "question_id": question.key,
            "question_type": question.question_type,
        }
        named = {name: text for name, text in details.items() if text}
        yield ToState(QuestionAnswer(question.text, question.references[0]), named)
