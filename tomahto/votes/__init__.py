"""Raters' labels of items: schemes of labels, votes, patterns of votes, Dawid and Skene."""
