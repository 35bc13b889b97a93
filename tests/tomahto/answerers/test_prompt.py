from tomahto.answerers.interface import QuestionToAnswer, exam_prompt, exam_version


def test_a_question_is_asked_with_its_context() -> None:
    prompt = exam_prompt(QuestionToAnswer("q", "Who $owes\nwhom?", "Ada owes $question {x} %s."))
    assert "\nPassage: Ada owes $question {x} %s.\n\nQuestion: Who $owes\nwhom?\n" in prompt.text
    assert prompt.text.endswith("\nAnswer:")


def test_without_a_context_no_passage_is_spoken_of() -> None:
    prompt = exam_prompt(QuestionToAnswer("q", "Who?", " \n"))
    assert "passage" not in prompt.text.lower()
    assert prompt.text.endswith("\nQuestion: Who?\n\nAnswer:")


def test_a_version_names_the_wording_and_its_content() -> None:
    """A wording that candidates were made with stays as it is; a new one gets a new number."""
    with_context = exam_prompt(QuestionToAnswer("q", "Who?", "Ada."))
    without = exam_prompt(QuestionToAnswer("q", "Who?", ""))
    assert with_context.version == "exam-passage-1:0d3ff8e9"
    assert without.version == "exam-1:d213b61d"
    assert exam_version() == f"{with_context.version}+{without.version}"
