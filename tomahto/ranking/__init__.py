"""The order of classes and of systems: monotonicity, rank sets, flips, accuracy of systems."""
