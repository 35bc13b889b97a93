"""Items, ratings, adjudications and answers as a release has them, checked one by one."""
