"""Tables and charts for papers: Markdown, LaTeX, CSV, SVG, PNG."""
