"""What a campaign takes in: items, questions, predictions, answers, ratings."""
