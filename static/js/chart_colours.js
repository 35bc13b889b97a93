// The colours of a chart are those of the theme.

const COLOURS = 8;

// light-dark() in a variable is only resolved where the variable colours something.
export function colourOf(figure, name) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  figure.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export const seriesColour = (figure, series, place) => {
  const chosen = series.colour ?? String((place % COLOURS) + 1);
  return colourOf(figure, /^\d+$/.test(chosen) ? `series-${chosen}` : chosen);
};

export const faded = (colour) => colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.18)");
