"""Judge answers to questions: matchers, agreement, statistics, releases. No Django."""
