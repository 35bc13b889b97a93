from collections.abc import Iterable, Mapping
from typing import Any

from tasks.management.training import ModelTraining, told_left_out, transfer_lines, with_interval
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.matching.bem.training import BemTrainingOptions, train_bem
from tomahto.releases.documents.fact_sentences import counted


class Command(ModelTraining):
    help = "Train the matcher BEM on labelled answers and report its quality. Needs torch."
    examples = (
        'JSON lines of {"question", "reference" | "references", "candidate", "label"[, "context"]}'
    )
    base = "google-bert/bert-base-uncased"
    options = BemTrainingOptions
    extra = {
        "variant": "input of the model: the answers only, with the question, or with question and "
        "context",
        "symmetrised": "score the mean of both directions",
        "optimiser": "Adam (Bulian et al. 2022) or AdamW",
        "weight_decay": "of all weights but biases and normalisations (CFMatch: 0.01)",
    }
    read = staticmethod(read_labelled_pairs)
    train = staticmethod(train_bem)

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield f"{counted(result['examples'], 'example')}, {result['dev_examples']} held out"
        yield from told_left_out(result)
        for epoch in result["fit"]["epochs"]:
            dev = epoch["dev"]
            yield f"epoch {epoch['epoch']}: loss {epoch['loss']}" + (
                f", dev accuracy {dev['accuracy']}, dev log loss {dev['log_loss']}" if dev else ""
            )
        for name, limit in (("accuracy", 0.5), ("accuracy_tuned", result["threshold"])):
            yield f"accuracy on {result['tuned_on']} at {limit}: {with_interval(result[name])}"
        yield from transfer_lines(result, "BEM")
        yield "{path}: epoch {best}, {version}".format(best=result["fit"]["best_epoch"], **result)
