"""One table in three formats, with names that every one of them takes for its own."""

import csv
import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tomahto.charts.table import Column, PaperTable, plain
from tomahto.charts.table_text import csv_table, latex_table, markdown_table
from tomahto.charts.table_text import escaped as markdown
from tomahto.charts.table_text import latex_escaped as latex
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.text.spreadsheet import plain_text

TABLE = PaperTable(
    key="systems",
    title="Systems & α",
    columns=(
        Column("system", "System", "text"),
        Column("items", "Items"),
        Column("equivalent", "equivalent", "percent"),
        Column("alpha", "α", "number"),
    ),
    rows=(
        ("=1|2_3", 1234, 0.66061, -0.25),
        ("[50%] {x}\\--y", 0, None, None),
    ),
    notes=("n counts items.",),
    source="statistics.json",
    reasons=("no item",),
)


def test_markdown_table_escapes_names_and_puts_numbers_right() -> None:
    assert markdown_table(TABLE) == (
        "**Systems \\& α**\n\n"
        "| System | Items | equivalent (%) | α |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| =1\\|2\\_3 | 1,234 | 66.1 | −0.250 |\n"
        "| \\[50%\\] {x}\\\\--y | 0 | – | – |\n\n"
        "n counts items.\n\n– is undefined: no item.\n\nSource: statistics.json.\n"
    )


def test_latex_table_escapes_names_and_puts_numbers_right() -> None:
    assert latex_table(TABLE, "demo-systems") == (
        "% needs \\usepackage{booktabs}\n"
        "\\begin{table}\n"
        "  \\centering\n"
        "  \\caption{Systems \\& $\\alpha$}\n"
        "  \\label{tab:demo-systems}\n"
        "  \\begin{tabular}{lrrr}\n"
        "    \\toprule\n"
        "    System & Items & equivalent (\\%) & $\\alpha$ \\\\\n"
        "    \\midrule\n"
        "    =1\\textbar{}2\\_3 & 1,234 & 66.1 & $-$0.250 \\\\\n"
        "    {[}50\\%{]} \\{x\\}\\textbackslash{}-{}-y & 0 & \\textendash{} & \\textendash{} \\\\\n"
        "    \\bottomrule\n"
        "  \\end{tabular}\n"
        "\n"
        "  \\smallskip\n"
        "  {\\footnotesize n counts items. \\textendash{} is undefined: no item."
        " Source: statistics.json.\\par}\n"
        "\\end{table}\n"
    )


def test_csv_table_has_keys_and_numbers_in_full_and_no_formula() -> None:
    assert csv_table(TABLE) == (
        "system,items,equivalent,alpha\r\n'=1|2_3,1234,0.66061,-0.25\r\n[50%] {x}\\--y,0,,\r\n"
    )


@given(st.text())
def test_markdown_shows_foreign_words_as_they_are(text: str) -> None:
    page = MarkdownIt("commonmark", {"html": True}).enable("table")
    html = page.render(f"| {markdown(text)} |\n| --- |\n")
    (cell,) = re.findall(r"<th>(.*?)</th>", html, re.DOTALL)
    # markdown-it decodes no other markup in a cell, so nothing but entities may be there
    assert "<" not in cell
    named = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&"}
    shown = re.sub("|".join(named), lambda found: named[found[0]], cell)
    assert shown == plain(text)


LAB = PaperTable(
    key="metrics",
    title="Metrics: ρ, τ and ΔAUC ≥ 0 ± ε",
    columns=(
        Column("metric", "Metric", "text"),
        Column("items", "n"),
        Column("accuracy", "Accuracy → [λ]", "percent"),
        Column("rho", "ρ", "number"),
    ),
    rows=(
        (
            "f1",
            24,
            Estimate(value=0.875, low=0.75, high=1.0, n=24, replicates=100, seed=3),
            undefined("all scores are equal", n=24),
        ),
        ("em", 24, 0.5, Estimate(value=-0.25, n=24, reason="one question gives no interval")),
        ("none", 0, None, None),
    ),
    notes=("n counts items; intervals at 95 % ≤ 1.",),
    source="lab",
    reasons=("no item",),
)


def test_markdown_shows_estimates_with_their_intervals() -> None:
    assert markdown_table(LAB) == (
        "**Metrics: ρ, τ and ΔAUC ≥ 0 ± ε**\n\n"
        "| Metric | n | Accuracy → \\[λ\\] (%) | ρ |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| f1 | 24 | 87.5 \\[75.0, 100.0\\] | – |\n"
        "| em | 24 | 50.0 | −0.250 |\n"
        "| none | 0 | – | – |\n\n"
        "n counts items; intervals at 95 % ≤ 1.\n\n"
        "– is undefined: no item; all scores are equal.\n\n"
        "A value without its interval: one question gives no interval.\n\n"
        "Source: lab.\n"
    )


def test_latex_shows_estimates_and_writes_what_labs_write() -> None:
    lines = latex_table(LAB, "lab-metrics").splitlines()
    assert lines[3] == (
        r"  \caption{Metrics: $\rho$, $\tau$ and $\Delta$AUC $\geq$ 0 $\pm$ $\varepsilon$}"
    )
    assert lines[7:13] == [
        r"    Metric & n & Accuracy $\rightarrow$ {[}$\lambda${]} (\%) & $\rho$ \\",
        r"    \midrule",
        r"    f1 & 24 & 87.5 {[}75.0, 100.0{]} & \textendash{} \\",
        r"    em & 24 & 50.0 & $-$0.250 \\",
        r"    none & 0 & \textendash{} & \textendash{} \\",
        r"    \bottomrule",
    ]
    assert "95 \\% $\\leq$ 1." in lines[16]


def test_csv_opens_estimates_into_four_columns() -> None:
    assert csv_table(LAB) == (
        "metric,items,accuracy,accuracy_low,accuracy_high,accuracy_n,rho,rho_low,rho_high,rho_n\r\n"
        "f1,24,0.875,0.75,1.0,24,,,,24\r\n"
        "em,24,0.5,,,,-0.25,,,24\r\n"
        "none,0,,,,,,,,\r\n"
    )


def test_csv_refuses_two_columns_of_one_name() -> None:
    columns = (Column("rho", "ρ", "number"), Column("rho_n", "n"))
    table = replace(LAB, columns=columns, rows=((undefined("no item", n=0), 1),))
    with pytest.raises(ValueError, match=r"^metrics: two columns of the CSV"):
        csv_table(table)


COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textasciigrave{}": "`",
    r"\textendash{}": "–",
    r"\symbol{34}": '"',
    r"$\alpha$": "α",
    r"$\kappa$": "κ",
    "$-$": "−",
    r"$\pm$": "±",
    r"$\leq$": "≤",
    r"$\geq$": "≥",
    r"$\rightarrow$": "→",
    r"$\Delta$": "Δ",
    r"$\varepsilon$": "ε",
    r"$\lambda$": "λ",
    r"$\rho$": "ρ",
    r"$\tau$": "τ",
    r"$\chi$": "χ",
    "{[}": "[",
    "{]}": "]",
    "{*}": "*",
    **{f"\\{each}": each for each in "{}&%$#_"},
    "{}": "",
}


@given(st.text())
def test_latex_shows_foreign_words_as_they_are(text: str) -> None:
    written = latex(text)
    assert "--" not in written
    known = re.compile("|".join(map(re.escape, COMMANDS)))
    assert not set(known.sub("", written)) & set('\\{}&%$#_~^<>|`"[]*')
    assert known.sub(lambda found: COMMANDS[found[0]], written) == plain(text)


@given(st.text())
def test_csv_reads_back_names(name: str) -> None:
    table = PaperTable(
        key="t",
        title="T",
        columns=(Column("n", "N", "text"),),
        rows=((name,),),
        notes=(),
        source="",
    )
    _header, *rows = csv.reader(io.StringIO(csv_table(table), newline=""))
    assert [plain_text(row[0]) for row in rows] == [plain(name)] or (
        rows == [[]] and not plain(name)
    )


@pytest.mark.parametrize("text", ["a--b", "---", "a\n\nb", "\x85"])
def test_words_stay_in_one_line_and_make_no_dash(text: str) -> None:
    assert "\n" not in latex(text)
    assert "--" not in latex(text)
