"""Inputs of the lab: labels and scores of answers, SQuAD files."""
