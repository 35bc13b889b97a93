"""Answers that a language model of the site's own writes, from the context or from memory."""

from collections.abc import Sequence
from dataclasses import dataclass

from tomahto.answerers.generative.text_generator import TextGenerator, Written, load_text_generator
from tomahto.answerers.interface import Answer, Failure, QuestionToAnswer
from tomahto.answerers.prompt import Prompt, exam_prompt, exam_version
from tomahto.options import require_least
from tomahto.pretrained.files import digest_folder, model_folder
from tomahto.pretrained.runtime import require_torch

# what decides a text beside what decides a score
_DECISIVE = ("generation_config.json", "chat_template.jinja", "chat_template.json")


@dataclass(frozen=True, slots=True)
class GenerativeOptions:
    """How a language model is used. `model` is a folder or an id of the Hugging Face hub.

    An answer has at most `max_new_tokens` (256 as in CAP, App. C). `batch_size` decides how many
    are written at once, and no answer.
    """

    model: str
    max_new_tokens: int = 256
    batch_size: int = 8

    def __post_init__(self) -> None:
        require_least(self, {"max_new_tokens": 1, "batch_size": 1})


class GenerativeAnswerer:
    """Answers with what a model writes when it is asked as in an exam, greedily.

    A model without a chat template goes on writing after its answer: there the first line counts.
    A text that is empty, or not finished at the limit, is a failure, and so is a prompt that is
    longer than the model reads. There is no score.
    """

    def __init__(
        self, name: str, generator: TextGenerator, options: GenerativeOptions, *, digest: str
    ) -> None:
        self.name = name
        self._generator = generator
        self._options = options
        self._digest = digest
        self.version = (
            f"{name}|generative|greedy|tokens:{options.max_new_tokens}|prompt:{exam_version()}"
            f"|model:{digest}|v1"
        )

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer | Failure]:
        """One answer or failure per question, in order."""
        prompts = [exam_prompt(question) for question in questions]
        tokens = [self._generator.encode(prompt.text) for prompt in prompts]
        written = iter(self._generator.write([one for one in tokens if self._generator.fits(one)]))
        return [
            self._answer(question, prompt, next(written))
            if self._generator.fits(read)
            else Failure(question.key, f"the prompt has {len(read)} tokens, too many for the model")
            for question, prompt, read in zip(questions, prompts, tokens, strict=True)
        ]

    def _answer(
        self, question: QuestionToAnswer, prompt: Prompt, written: Written
    ) -> Answer | Failure:
        text, is_complete = written.text.strip(), written.is_complete
        if not self._generator.is_chat:
            text, line_end, _ = text.partition("\n")
            is_complete = is_complete or bool(line_end)
        if not text:
            return Failure(question.key, "the model wrote nothing")
        if not is_complete:
            limit = self._options.max_new_tokens
            return Failure(question.key, f"the answer did not end within {limit} tokens")
        provenance = {
            "model": self._digest,
            "prompt": prompt.version,
            "parameters": {"decoding": "greedy", "max_new_tokens": self._options.max_new_tokens},
            "reply": written.text,
        }
        return Answer(question.key, text.strip(), None, provenance=provenance)


def load_generative(name: str, options: GenerativeOptions) -> GenerativeAnswerer:
    """The answerer of that name. Raises ModelError, and OSError if the hub cannot be reached."""
    require_torch()
    folder = model_folder(options.model)
    generator = load_text_generator(
        folder, max_new_tokens=options.max_new_tokens, batch_size=options.batch_size
    )
    return GenerativeAnswerer(
        name, generator, options, digest=digest_folder(folder, more=_DECISIVE)
    )
