"""Calibration: items that people have to get right first."""
