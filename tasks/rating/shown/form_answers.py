"""The answers that a rating form holds."""

from collections.abc import Mapping

from django.http import QueryDict

from tasks.protocols.definition import AnnotationProtocol


def answers_in(post: QueryDict, protocol: AnnotationProtocol) -> dict[str, str]:
    """The canonical answers a rating form holds, those included that an earlier one has closed.

    Raises AnswersError for an answer that the protocol does not know.
    """
    given: Mapping[str, list[str]] = {
        question.key: post.getlist(question.key)
        for question in protocol.questions
        if post.getlist(question.key)
    }
    return {
        question.key: question.canonical(list(given[question.key]))
        for question in protocol.questions
        if question.key in given
    }
