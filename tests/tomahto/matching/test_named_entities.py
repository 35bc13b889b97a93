from tomahto.matching.named_entities import MergedEntities, merge_entities


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
