// What is wrong with how the page lies in its window, as sentences; nothing where all is well.
async ({ isUnfolded }) => {
  // with everything unfolded things may lie over others: it is told only what lies outside
  for (const folded of isUnfolded ? document.querySelectorAll("main details") : []) folded.open = true;
  // charts follow in the frames after
  const drawn = () => JSON.stringify([...document.querySelectorAll("canvas")].map(({ clientWidth, texts }) => [clientWidth, texts]));
  for (let last = "", still = 0, frame = 0; still < 3 && frame < 90; frame++) {
    await new Promise(requestAnimationFrame);
    const now = drawn();
    still = now === last ? still + 1 : 0;
    last = now;
  }

  const faults = new Set();
  const visible = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) &&
    [...ancestors(element)].every((each) => styleOf(each).clipPath === "none");
  const short = (text) => JSON.stringify(text.trim().replace(/\s+/g, " ").slice(0, 60));
  const named = (element) => {
    const classes = typeof element.className === "string" && element.className.trim().replace(/\s+/g, ".");
    return element.localName + (element.id ? `#${element.id}` : "") + (classes ? `.${classes}` : "");
  };
  const ancestors = function* (element) {
    for (let above = element; above; above = above.parentElement) yield above;
  };
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const clips = (value) => value === "hidden" || value === "clip";
  const scrolls = (value) => value === "auto" || value === "scroll";
  // out of the flow: it may lie over what it belongs to
  const layerOf = (element) => {
    for (const above of ancestors(element)) {
      if (["fixed", "sticky"].includes(styleOf(above).position) || above.matches(":popover-open, dialog")) return above;
    }
    return null;
  };

  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.add(`scrolls sideways: ${wide} px`);

  // every line of text with its box
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style, noscript, option, textarea, title, desc") || !visible(element)) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    for (const box of boxes) lines.push({ node, element, box });
    if (new Set(boxes.map((box) => Math.round(box.top))).size > 1) brokenWords(node, element);
    clippedText(node, element, boxes);
  }

  // a word has no place where it may break: what may break anywhere says so
  function brokenWords(node, element) {
    if (element.closest("code, pre, .secret, .breaks")) return;
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}\p{N}’']{2,}/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top)));
      if (tops.size > 1 && styleOf(element).hyphens !== "auto") faults.add(`breaks ${short(word)} in ${named(element)}`);
    }
  }

  function clippedText(node, element, boxes) {
    for (const box of boxes) {
      for (const above of ancestors(element)) {
        const { overflowX, overflowY, display } = styleOf(above);
        if (display === "inline" || above === document.body || above === document.documentElement) continue;
        const frame = above.getBoundingClientRect();
        if (scrolls(overflowX) || scrolls(overflowY)) break; // one can get there
        const isCut =
          (clips(overflowX) && (box.left < frame.left - 1 || box.right > frame.right + 1)) ||
          (clips(overflowY) && (box.top < frame.top - 2 || box.bottom > frame.bottom + 2));
        if (isCut && !isSeenWhole(element)) faults.add(`clips ${short(node.data)} in ${named(above)}`);
        if (above.localName === "svg") break;
      }
    }
  }

  // by its title, or by the button that unfolds it
  function isSeenWhole(element) {
    const folded = element.closest(".folded");
    const unfolds = folded && document.querySelector(`[aria-controls="${folded.id}"][aria-expanded="false"]`);
    return (unfolds && visible(unfolds)) || [...ancestors(element)].some((each) => each.title);
  }

  // texts that lie on each other; a line's box is higher than its letters
  const solid = lines
    .filter(({ element, box }) => !layerOf(element) && box.bottom > 0)
    .map(({ node, element, box }) => {
      const height = Math.min(box.height, parseFloat(styleOf(element).fontSize));
      const middle = (box.top + box.bottom) / 2;
      return seen({ node, element, left: box.left, right: box.right, top: middle - height / 2, bottom: middle + height / 2 });
    })
    .filter(({ left, right, top, bottom }) => right > left && bottom > top)
    .sort((one, other) => one.top - other.top);
  solid.forEach((one, place) => {
    for (let next = place + 1; next < solid.length && solid[next].top < one.bottom - 2; next++) {
      const other = solid[next];
      if (other.node === one.node) continue;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      if (!isUnfolded && across > 2) {
        faults.add(`${short(one.node.data)} lies on ${short(other.node.data)}`);
      }
    }
  });

  // as much of a line as the frames around it leave to be seen
  function seen(line) {
    for (const above of ancestors(line.element)) {
      const { overflowX, overflowY } = styleOf(above);
      const isFrame = overflowX !== "visible" || overflowY !== "visible";
      if (!isFrame || above === document.body || above === document.documentElement) continue;
      const frame = above.getBoundingClientRect();
      line.left = Math.max(line.left, frame.left);
      line.right = Math.min(line.right, frame.right);
      line.top = Math.max(line.top, frame.top);
      line.bottom = Math.min(line.bottom, frame.bottom);
    }
    return line;
  }

  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter((control) => visible(control) && control.type !== "hidden" && !control.closest(".to-content"));
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    const isReached = [...ancestors(control.parentElement)].some((above) => scrolls(styleOf(above).overflowX));
    if (!isReached && (box.left < -1 || box.right > innerWidth + 1)) {
      faults.add(`${named(control)} ${short(control.textContent)} is outside of the window`);
    }
    const target = control.matches("a, button, input, select, textarea, summary") && targetOf(control);
    if (target && (target.width < 24 || target.height < 24)) {
      faults.add(`${named(control)} ${short(control.textContent)} is ${Math.round(target.width)} × ${Math.round(target.height)} px small`);
    }
    fieldText(control);
  }

  // the ring around what has the focus, of three pixels and two away, is not drawn over its label
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    for (const { element, left, right, top, bottom } of solid) {
      const isLabel = [...(control.labels ?? [])].some((label) => label.contains(element));
      const isNear = right > box.left - 4 && left < box.right + 4 && bottom > box.top - 4 && top < box.bottom + 4;
      if (isLabel && isNear && box.width > 1) faults.add(`the ring of ${named(control)} lies on its label ${short(element.textContent)}`);
    }
  }

  // what a finger may hit; nothing for a link within a line of text, which is excused
  function targetOf(control) {
    const label = control.labels?.[0];
    if (["checkbox", "radio"].includes(control.type) && label) {
      const [one, other] = [control.getBoundingClientRect(), label.getBoundingClientRect()];
      return {
        width: Math.max(one.right, other.right) - Math.min(one.left, other.left),
        height: Math.max(one.bottom, other.bottom) - Math.min(one.top, other.top),
      };
    }
    if (control.localName === "a" && styleOf(control).display === "inline") return null;
    return control.getBoundingClientRect();
  }

  // a hint in a field, or what is chosen in it, is to be read whole
  function fieldText(control) {
    const isList = control.localName === "select" && !control.multiple && control.size < 2;
    if (isList && innerWidth < 600) return; // it ends in dots, and its list has the whole
    const text = isList ? control.selectedOptions[0]?.text : control.placeholder && !control.value && control.placeholder;
    if (!text || control.title) return;
    const style = styleOf(control);
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = control.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - (isList ? 16 : 0);
    const needed = Math.max(...text.split("\n").map((line) => pen.measureText(line).width));
    if (control.localName !== "textarea" && needed > room + 1) faults.add(`${named(control)} cuts ${short(text)}`);
  }

  // on a canvas, where only a script of the test's knows what is written
  for (const canvas of document.querySelectorAll("canvas")) {
    const texts = (canvas.texts ?? []).filter(({ text }) => text.trim());
    texts.forEach((one, place) => {
      if (one.left < -1 || one.top < -1 || one.right > canvas.clientWidth + 1 || one.bottom > canvas.clientHeight + 1) {
        faults.add(`a chart clips ${short(one.text)}`);
      }
      for (const other of texts.slice(place + 1)) {
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        const isOver = across > 1 && down > 1 && !one.isTurned && !other.isTurned;
        const isSame = one.text === other.text && Math.abs(one.left - other.left) < 1;
        if (isOver && !isSame) faults.add(`in a chart ${short(one.text)} lies on ${short(other.text)}`);
      }
    });
  }

  // blocks with a frame keep a distance
  const framed = [...document.querySelectorAll("main .card, main .note, main .tile, main form > .field")].filter(visible);
  for (const one of framed) {
    const box = one.getBoundingClientRect();
    for (const other of framed) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      const below = other.getBoundingClientRect();
      const isUnder = below.left < box.right && below.right > box.left && below.top >= box.bottom - 1;
      if (isUnder && below.top < box.bottom + 4) faults.add(`${named(one)} ${short(one.textContent)} touches ${named(other)}`);
    }
  }
  return [...faults];
}
