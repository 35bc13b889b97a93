import random
import time
from itertools import product

import pytest

from tomahto.matching.aliases import MergedEntities, merge_entities


def test_entities_of_one_normal_form_become_one() -> None:
    entities = [("The Burj Khalifa", "Burj Dubai"), ("Burj Khalifa", "burj dubai.", "Tower")]
    assert merge_entities(entities) == MergedEntities(
        (("The Burj Khalifa", "Burj Dubai", "Tower"),), ()
    )


def test_name_of_two_entities_is_left_out_of_both() -> None:
    entities = [("Idaho", "ID", "Gem State"), ("Indonesia", "id"), ("Boise", "the gem city")]
    assert merge_entities(entities) == MergedEntities(
        (("Idaho", "Gem State"), ("Boise", "the gem city")), ("id",)
    )


def test_name_is_kept_where_one_entity_is_an_other_name_of_the_other() -> None:
    entities = [("Cyrus the Great", "Cyrus", "Cyrus II"), ("Cyrus", "Cyrus II")]
    assert merge_entities(entities) == MergedEntities(tuple(entities), ())


def test_name_of_an_entity_stays_its_own_where_it_is_ambiguous_as_an_other_name() -> None:
    entities = [("Idaho", "GI", "Gem State"), ("Gibraltar", "GI"), ("GI", "soldier")]
    merged = merge_entities(entities)
    assert merged == MergedEntities((("Idaho", "Gem State"), ("GI", "soldier")), ("gi",))


def test_texts_without_a_word_are_no_names() -> None:
    assert merge_entities([("the", "x"), ("X", ".", "X."), ("Y", "the")]) == ((), ())


@pytest.mark.parametrize("seed", range(20))
def test_ambiguous_are_names_of_two_of_which_neither_names_the_other(seed: int) -> None:
    draw, words = random.Random(seed), "pqrstuvw"
    entities = [
        (draw.choice(words), *draw.sample(words, draw.randrange(5)))
        for _ in range(draw.randrange(1, 8))
    ]
    names: dict[str, set[str]] = {}
    for entity in entities:
        names.setdefault(entity[0], set()).update(entity)
    ambiguous = {
        word
        for word in words
        for one, other in product(names, repeat=2)
        if word in names[one] & names[other] and one not in names[other] and other not in names[one]
    }
    merged = merge_entities(entities)
    assert set(merged.ambiguous) == ambiguous
    assert {one[0]: set(one) for one in merged.entities} == {
        own: kept for own, all_ in names.items() if len(kept := {own, *all_ - ambiguous}) > 1
    }


def test_entities_that_all_name_one_another_are_merged_at_once() -> None:
    words = [f"n{number}" for number in range(200)]
    entities = [(word, *words) for word in words]
    start = time.process_time()
    merged = merge_entities(entities)
    assert time.process_time() - start < 1  # one by one they take 2
    assert (len(merged.entities), merged.ambiguous) == (200, ())
