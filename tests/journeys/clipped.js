// Texts and controls that one cannot see whole in this window, as sentences; none where all is well.
() => {
  const faults = new Set();
  const short = (text) => JSON.stringify(text.trim().replace(/\s+/g, " ").slice(0, 60));
  const named = ({ localName, className }) => [localName, ...String(className).split(/\s+/)].filter(Boolean).join(".");
  const above = (element) => (element ? [element, ...above(element.parentElement)] : []);
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) &&
    above(element).every((each) => getComputedStyle(each).clipPath === "none");
  const cuts = (value) => value === "hidden" || value === "clip";
  const scrolls = (value) => value === "auto" || value === "scroll";

  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.add(`scrolls sideways: ${wide} px`);

  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style, option, textarea, title, desc") || !isSeen(element)) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    for (const frame of above(element)) {
      const { overflowX, overflowY, display } = getComputedStyle(frame);
      if (scrolls(overflowX) || scrolls(overflowY)) break; // one can get there
      if (frame === document.body || frame.title) break; // its title says it whole
      if (display === "inline") continue;
      const { left, right, top, bottom } = frame.getBoundingClientRect();
      const isCut = boxes.some((box) =>
        (cuts(overflowX) && (box.left < left - 1 || box.right > right + 1)) ||
        (cuts(overflowY) && (box.top < top - 2 || box.bottom > bottom + 2)));
      if (isCut) faults.add(`cuts ${short(node.data)} in ${named(frame)}`);
    }
  }

  for (const control of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (!isSeen(control) || control.matches("[type=hidden], .to-content")) continue;
    const { left, right } = control.getBoundingClientRect();
    const isReached = above(control.parentElement).some((each) => scrolls(getComputedStyle(each).overflowX));
    if (!isReached && (left < -1 || right > innerWidth + 1)) faults.add(`${named(control)} ${short(control.textContent)} is outside`);
    const hint = control.localName === "input" && !control.value && !control.title && control.placeholder;
    if (!hint) continue;
    const style = getComputedStyle(control);
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = control.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (pen.measureText(hint).width > room + 1) faults.add(`${named(control)} cuts ${short(hint)}`);
  }
  return [...faults];
}
