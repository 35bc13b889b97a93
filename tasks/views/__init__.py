"""Pages: parse the request, call the workflow once, render. One module per area."""
