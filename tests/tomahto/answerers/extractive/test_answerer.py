import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tomahto.tiny_models import save_tiny_bert, save_tiny_reader
from tomahto.answerers.extractive.answerer import (
    ExtractiveAnswerer,
    ExtractiveOptions,
    load_extractive,
)
from tomahto.answerers.extractive.reader import load_span_reader
from tomahto.answerers.interface import Answer, Failure, QuestionToAnswer
from tomahto.answerers.registry import AnswerersFileError, read_answerers
from tomahto.pretrained.files import ModelFilesError

pytestmark = pytest.mark.models

QUESTION = "What jumped?"
LONG = " ".join(f"The red fox {n} jumped over Élan 😀 no. {n * 7}, ﬁnally." for n in range(12))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(save_tiny_reader(tmp_path_factory.mktemp("models") / "reader", positions=512))


@pytest.fixture(scope="module")
def options(folder: Path) -> ExtractiveOptions:
    return ExtractiveOptions(str(folder), max_length=64, stride=32, max_answer_tokens=6)


@pytest.fixture(scope="module")
def reader(options: ExtractiveOptions) -> ExtractiveAnswerer:
    return load_extractive("reader", options)


def ask(answerer: ExtractiveAnswerer, context: str, question: str = QUESTION) -> Answer | Failure:
    [answer] = answerer.answer([QuestionToAnswer("q", question, context)])
    return answer


def answered(answerer: ExtractiveAnswerer, context: str) -> Answer:
    answer = ask(answerer, context)
    assert isinstance(answer, Answer)
    return answer


def texts(answer: Answer) -> list[str]:
    return [answer.text, *(other.text for other in answer.alternatives)]


def scores(answer: Answer) -> list[float | None]:
    return [answer.score, *(other.score for other in answer.alternatives)]


def by_hand(folder: Path, context: str, longest: int) -> dict[str, float]:
    """The best score of every text, by transformers alone and trying all spans of one window."""
    import torch
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForQuestionAnswering.from_pretrained(folder).eval()
    encoded = tokenizer(
        QUESTION,
        context,
        return_tensors="pt",
        return_offsets_mapping=True,
        return_token_type_ids=True,
    )
    offsets = encoded.pop("offset_mapping")[0].tolist()
    with torch.inference_mode():
        output = model(**encoded)
    best: dict[str, float] = {}
    inside = [n for n, part in enumerate(encoded.sequence_ids(0)) if part == 1]
    for i in inside:
        for j in inside:
            if i <= j < i + longest:
                score = float(output.start_logits[0, i] + output.end_logits[0, j])
                text = context[offsets[i][0] : offsets[j][1]]
                best[text] = max(best.get(text, -np.inf), score)
    return best


def test_answers_are_the_best_of_all_spans(folder: Path, options: ExtractiveOptions) -> None:
    reader = load_extractive("reader", replace(options, max_length=512))
    context = "Élan 😀 met a red fox; naïve ﬁsh met a red fox in Zürich."
    wanted = sorted(by_hand(folder, context, 6).items(), key=lambda one: -one[1])[:20]
    answer = answered(reader, context)
    assert texts(answer) == [text for text, _ in wanted]
    assert scores(answer) == pytest.approx([score for _, score in wanted], abs=1e-5)
    assert context[answer.provenance["start"] :].startswith(answer.text)


def test_windows_overlap_so_that_every_token_is_read_and_none_is_too_long(folder: Path) -> None:
    reader = load_span_reader(folder, max_length=64, stride=32, batch_size=4)
    [one] = load_span_reader(folder, max_length=512, stride=32, batch_size=4).windows(
        QUESTION, LONG
    )
    many = reader.windows(QUESTION, LONG)
    assert len(many) > 3
    assert max(len(window.encoded.tokens) for window in many) == 64
    assert list(dict.fromkeys(o for window in many for o in window.offsets)) == list(one.offsets)
    assert [len({*a.offsets} & {*b.offsets}) for a, b in pairwise(many)] == (
        [len(many[0].offsets) // 2] * (len(many) - 1)  # 32, or half the room for a context
    )


def test_a_context_that_fits_is_read_alike_with_and_without_windows(
    reader: ExtractiveAnswerer, options: ExtractiveOptions
) -> None:
    context = LONG[:100]
    wide = load_extractive("reader", replace(options, max_length=512))
    assert texts(answered(reader, context)) == texts(answered(wide, context))


def test_an_answer_of_a_late_window_stands_where_it_says(reader: ExtractiveAnswerer) -> None:
    late = 0
    for place in range(len(LONG) // 2, len(LONG), 40):
        context = LONG[:place]
        answer = answered(reader, context)
        start = answer.provenance["start"]
        assert context[start : start + len(answer.text)] == answer.text
        assert all(text in context for text in texts(answer))
        late += start > len(context) // 3
    assert late  # not all from the first window


def test_answers_do_not_depend_on_the_batch_nor_on_their_order(
    reader: ExtractiveAnswerer, options: ExtractiveOptions
) -> None:
    contexts = [LONG, "Red fox.", LONG[:200], "", "No. 7, 😀", LONG[300:]]
    questions = [QuestionToAnswer(str(n), QUESTION, c) for n, c in enumerate(contexts)]
    together = reader.answer(questions)
    one_by_one = load_extractive("reader", replace(options, batch_size=1))
    assert [answer.key for answer in together] == [question.key for question in questions]
    for context, answer in zip(contexts, together, strict=True):
        assert isinstance(answer, Answer)
        alone = answered(one_by_one, context)
        assert texts(alone) == texts(answer)
        assert alone.score == (
            None if answer.score is None else pytest.approx(answer.score, abs=1e-4)
        )
    assert [answer.key for answer in reader.answer(questions[::-1])] == list("543210")


@pytest.mark.parametrize("context", ["", " \n\t"])
def test_without_a_context_there_is_no_answer(reader: ExtractiveAnswerer, context: str) -> None:
    assert ask(reader, context) == Answer("q", "", None)


def test_a_question_that_leaves_no_room_fails_alone(reader: ExtractiveAnswerer) -> None:
    questions = [
        QuestionToAnswer("long", "fox " * 60, "Red fox."),
        QuestionToAnswer("short", "fox?", "Red fox."),
    ]
    failed, answer = reader.answer(questions)
    assert failed == Failure(
        "long", "the question leaves 1 of 64 tokens for its context, which needs 6"
    )
    assert isinstance(answer, Answer)


def test_markers_in_a_text_are_text(reader: ExtractiveAnswerer) -> None:
    context = "He wrote [SEP] on the wall [CLS] twice."
    [window] = reader._reader.windows(QUESTION, context)
    assert window.offsets[-1] == (len(context) - 1, len(context))
    assert window.null == 0


def test_the_top_k_best_are_kept(reader: ExtractiveAnswerer, options: ExtractiveOptions) -> None:
    all_twenty = texts(answered(reader, LONG))
    assert len(set(all_twenty)) == 20
    three = load_extractive("reader", replace(options, top_k=3))
    assert texts(answered(three, LONG)) == all_twenty[:3]
    one = load_extractive("reader", replace(options, top_k=1))
    assert texts(answered(one, LONG)) == all_twenty[:1]


def test_it_abstains_where_no_answer_beats_the_best_by_the_threshold(
    options: ExtractiveOptions,
) -> None:
    def with_threshold(threshold: float) -> Answer:
        abstainer = replace(options, can_abstain=True, threshold=threshold)
        return answered(load_extractive("reader", abstainer), LONG)

    best = answered(load_extractive("reader", options), LONG)
    certainly = with_threshold(-1000.0)
    assert certainly.score is not None
    assert best.score is not None
    margin = certainly.score - 1000.0 - best.score
    abstaining, answering = with_threshold(margin - 0.1), with_threshold(margin + 0.1)
    assert abstaining.text == ""
    assert abstaining.score == pytest.approx(best.score + 0.1)
    assert abstaining.alternatives[0].text == best.text
    assert len(texts(abstaining)) == 20
    assert (answering.text, answering.score) == (best.text, best.score)
    assert answering.alternatives[0].text == ""
    assert abstaining.provenance == {}


def test_a_version_names_what_decides_the_answers(
    options: ExtractiveOptions, folder: Path, tmp_path: Path
) -> None:
    def version(**changes: Any) -> str:
        return load_extractive("reader", replace(options, **changes)).version

    version_here = version()
    assert version_here.startswith("reader|extractive|window:64/32|top:20|tokens:6|model:")
    assert version(batch_size=7) == version_here
    shutil.copytree(folder, tmp_path / "copy")
    assert version(model=str(tmp_path / "copy")) == version_here
    changed = [
        version(model=save_tiny_reader(tmp_path / "other", seed=1)),
        version(max_length=63),
        version(stride=31),
        version(top_k=19),
        version(max_answer_tokens=5),
        version(can_abstain=True),
        version(can_abstain=True, threshold=1.0),
    ]
    assert len({version_here, *changed}) == 8


def test_a_model_without_a_head_for_spans_is_refused(tmp_path: Path) -> None:
    location = save_tiny_bert(tmp_path / "classifier")
    with pytest.raises(ModelFilesError, match="is not trained for this, it lacks qa_outputs"):
        load_extractive("reader", ExtractiveOptions(location))


def test_a_table_of_the_file_makes_one(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "answerers.toml"
    file.write_text(f'[fox]\nkind = "extractive"\nmodel = "{folder}"\ntop_k = 2\n')
    answerer = read_answerers(file, taken=())["fox"]()
    assert answerer.name == "fox"
    [answer] = answerer.answer([QuestionToAnswer("q", QUESTION, "The red fox.")])
    assert isinstance(answer, Answer)
    assert len(answer.alternatives) == 1


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("top_k = 0", "key top_k: must be at least 1, not 0"),
        ("stride = 384", "key stride: must be less than max_length, 384"),
        ("colour = 1", "key colour: no such key; known: model, max_length, stride,"),
    ],
)
def test_a_wrong_option_is_named(tmp_path: Path, line: str, fault: str) -> None:
    file = tmp_path / "answerers.toml"
    file.write_text(f'[fox]\nkind = "extractive"\nmodel = "somewhere"\n{line}\n')
    with pytest.raises(AnswerersFileError, match=rf"table \[fox\], {fault}"):
        read_answerers(file, taken=())
