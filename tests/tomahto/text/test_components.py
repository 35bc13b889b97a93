from hypothesis import given
from hypothesis import strategies as st

from tomahto.text.same_question import connected_components


def test_components_follow_edges_in_any_direction() -> None:
    # 0–3–5 by way of 3, 1 alone, 2–4 said twice
    edges = [(5, 3), (3, 0), (2, 4), (4, 2)]
    assert connected_components(6, edges) == [[0, 3, 5], [1], [2, 4]]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20))
def test_components_are_what_can_be_reached(edges: list[tuple[int, int]]) -> None:
    def reached(node: int) -> list[int]:
        found = {node}
        for _ in range(10):
            for one, other in edges:
                if found & {one, other}:
                    found |= {one, other}
        return sorted(found)

    expected = sorted({tuple(reached(node)) for node in range(10)})
    assert [tuple(component) for component in connected_components(10, edges)] == expected
