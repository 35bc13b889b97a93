"""The figures of the dashboards, each a function of the campaign."""
