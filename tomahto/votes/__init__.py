"""What raters say of items: schemes of labels, votes, patterns of votes, Dawid and Skene."""
