"""Weights whose scores can be computed by hand."""

from tomahto.matching.cfmatch.matcher import CFMatchWeights

# One document that held every word, so that each idf is 1.
WEIGHTS = CFMatchWeights(
    documents=1,
    words=("[CLS]", "[SEP]", "fox"),
    document_frequencies=(1, 1, 1),
    word_weights=(0.0, 0.5, -1.0),
    overlap_weights=(2.0, 1.0, -0.5),
    intercept=0.25,
)
