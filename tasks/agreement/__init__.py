"""Dashboards: agreement, raters, progress, systems; findings and alerts."""
