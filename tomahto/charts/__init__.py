"""Tables and charts for papers and pages: Markdown, LaTeX, CSV, SVG, PNG, PDF."""
