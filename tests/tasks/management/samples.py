"""Contents of files that commands import and evaluate."""

QUESTION = {
    "id": "q1",
    "document": "Rhine",
    "question": "Where does the Rhine rise?",
    "context": "The Rhine rises in the Swiss Alps, in Graubünden.",
    "references": ["in the Swiss Alps", "Graubünden"],
}
ITEM = {**QUESTION, "id": "i1", "references": ["in the Swiss Alps"], "candidate": "in the Alps"}

# Of SQuAD 2.0, and predictions of which one is right, one is partly so, and one answers in vain.
SQUAD = """{"data": [{"paragraphs": [{"qas": [
{"id": "capital", "answers": [{"text": "Paris"}]},
{"id": "river", "answers": [{"text": "the river Seine in France"}]},
{"id": "nobody", "answers": []}]}]}]}"""
PREDICTIONS = '{"capital": "PARIS!", "river": "the Seine in the north of France", "nobody": "I"}'
