from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from tasks.management.training import ModelTraining, told_left_out
from tomahto.interchange.judgements.pairs import read_triples
from tomahto.releases.documents.fact_sentences import counted
from tomahto.statements.training import StatementTrainingOptions, train_statements


class Command(ModelTraining):
    help = "Train CAP's statement generator and report its quality. Needs torch."
    examples = 'JSON lines of {"question", "answer", "statement"}'
    base = "google/mt5-base"
    options = StatementTrainingOptions
    extra = {"patience": "stop after N epochs without a better BLEU"}
    read = staticmethod(read_triples)
    train = staticmethod(train_statements)

    def arguments(self, parser: ArgumentParser) -> None:
        super().arguments(parser)
        parser.add_argument(
            "--with-faulty",
            action="store_true",
            help="also learn from statements that people labelled syntactic, semantic or wrong",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        # a command serves one call
        self.read = partial(read_triples, with_faulty=options["with_faulty"])
        return super().work(**options)

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield f"{counted(result['examples'], 'example')}, {result['dev_examples']} held out"
        yield from told_left_out(result)
        for epoch in result["epochs"]:
            yield "epoch {epoch}: loss {loss}, BLEU {bleu}".format(**epoch)
        yield "{path}: epoch {best_epoch}, BLEU {bleu}, exact {exact}".format(**result)
        yield from _told_rouge(result)
        if result["test"]:
            yield "test, n = {n}: BLEU {bleu}, exact {exact}".format(**result["test"])
            yield from _told_rouge(result["test"])


def _told_rouge(scores: Mapping[str, Any]) -> Iterable[str]:
    if scores["rouge"]:
        yield ", ".join(f"{name} {value}" for name, value in scores["rouge"].items())
