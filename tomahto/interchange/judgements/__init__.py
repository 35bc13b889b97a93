"""What the lab takes in: labels and scores of answers, SQuAD files."""
