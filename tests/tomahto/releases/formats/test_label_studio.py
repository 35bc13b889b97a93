import json
from xml.etree.ElementTree import XML, Element

from tests.exporters.builders import build_dataset
from tests.exporters.format_samples import AE, CAP, RULES, STATEMENT, texts
from tests.exporters.samples import RATED_AT


def view_of(files: dict[str, str]) -> Element:
    return XML(files["label_studio/config.xml"])


def result(name: str, value: str, kind: str = "choices") -> dict[str, object]:
    field = "text" if kind == "textarea" else kind
    return {
        "id": name,
        "from_name": name,
        "to_name": "shown_candidate",
        "type": kind,
        "value": {field: [value]},
    }


def test_label_studio_has_a_task_per_item_and_an_annotation_per_counted_rating() -> None:
    tasks = json.loads(texts(AE, "label-studio")["label_studio/tasks.json"])
    # c1 has two ratings, one of them surplus; e1 has no counted one.
    assert {task["data"]["item_id"]: len(task["annotations"]) for task in tasks} == {
        "a1": 3,
        "a2": 1,
        "b1": 2,
        "c1": 1,
        "d1": 4,
    }


def test_label_studio_task_has_the_keys_that_an_import_needs() -> None:
    tasks = json.loads(texts(AE, "label-studio")["label_studio/tasks.json"])
    assert tasks[1] == {
        "data": {
            "item_id": "a2",
            "document": "A",
            "question_id": "qa",
            "question_type": "",
            "question": "What is qa?",
            "context": "A passage of A.",
            "references": ["the city of Paris"],
            "reference_index": 1,
            "candidate": "in Paris, France",
            "systems": ["bidaf", "xlnet"],
            "shown_references": "the city of Paris",
            "splits": [build_dataset(AE).items[1].split],
        },
        "annotations": [
            {
                "result": [
                    result("q1", "yes"),
                    result("label", "not-equivalent"),
                    result("rater", "r1", "textarea"),
                ],
                "was_cancelled": False,
                "ground_truth": False,
                "lead_time": 2.5,
                "created_at": RATED_AT.isoformat(),
            }
        ],
    }


def test_label_studio_chooses_several_where_the_question_lets_one() -> None:
    (task,) = json.loads(texts(RULES, "label-studio")["label_studio/tasks.json"])
    values = {
        each["from_name"]: [*each["value"].values()] for each in task["annotations"][0]["result"]
    }
    assert values == {
        "rules": [["aliasing", "numerical"]],
        "label": [["wrong"]],
        "rater": [["r1"]],
    }


def test_label_studio_question_without_choices_is_a_text() -> None:
    tasks = json.loads(texts(CAP, "label-studio")["label_studio/tasks.json"])
    assert tasks[0]["annotations"][0]["result"][0] == result("why", "aliasing", "textarea")


def test_label_studio_config_asks_what_the_tasks_answer() -> None:
    for content in (AE, CAP, STATEMENT, RULES):
        files = texts(content, "label-studio")
        view = view_of(files)
        shown = {text.attrib["name"]: text.attrib["value"][1:] for text in view.iter("Text")}
        asked = {
            **{each.attrib["name"]: "choices" for each in view.iter("Choices")},
            **{each.attrib["name"]: "textarea" for each in view.iter("TextArea")},
        }
        assert {
            each.attrib["toName"] for name in ("Choices", "TextArea") for each in view.iter(name)
        } <= set(shown)
        for task in json.loads(files["label_studio/tasks.json"]):
            assert set(shown.values()) <= set(task["data"])
            assert all(isinstance(task["data"][key], str) for key in shown.values())
            for each in (each for one in task["annotations"] for each in one["result"]):
                assert asked[each["from_name"]] == each["type"]
                assert each["to_name"] in shown


def test_label_studio_config_offers_the_labels_and_asks_for_one() -> None:
    view = view_of(texts(RULES, "label-studio"))
    found = {
        each.attrib["name"]: (
            each.attrib["choice"],
            each.get("required"),
            [choice.attrib["value"] for choice in each],
        )
        for each in view.iter("Choices")
    }
    assert found == {
        "rules": ("multiple", None, ["aliasing", "numerical"]),
        "label": ("single", "true", ["correct", "wrong"]),
    }
