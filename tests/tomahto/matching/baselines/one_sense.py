"""METEOR without WordNet's files."""

from tomahto.matching.baselines.words import Meteor


class Lemma:
    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name


class Sense:
    def __init__(self, *words: str) -> None:
        self._words = words

    def lemmas(self) -> list[Lemma]:
        return [Lemma(word) for word in self._words]


class Thesaurus:
    """WordNet as far as METEOR asks it, with one sense."""

    def synsets(self, lemma: str) -> list[Sense]:
        return [Sense("car", "auto")] if lemma in {"car", "auto"} else []


def make_meteor() -> Meteor:
    return Meteor(Thesaurus(), synonyms_name="one-sense")
