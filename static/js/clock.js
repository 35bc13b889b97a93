// Active time: counted while the page is visible, has the focus and was used in the last minute.

const IDLE_AFTER = 60_000;
const TICK = 250;

let lastUse = performance.now();

for (const name of ["keydown", "pointerdown", "pointermove", "scroll", "input"]) {
  addEventListener(name, () => (lastUse = performance.now()), { passive: true, capture: true });
}

/** Add up active time into the field, which starts with what was spent before.
    `tick` brings the field up to date, `stop` ends the counting. */
export function startClock(field) {
  let lastTick = performance.now();
  const tick = () => {
    const now = performance.now();
    const isActive = !document.hidden && document.hasFocus() && now - lastUse < IDLE_AFTER;
    // a page that slept gets one tick, not the night
    if (isActive) {
      const seconds = Number(field.value || 0) + Math.min(now - lastTick, 4 * TICK) / 1000;
      field.value = seconds.toFixed(2);
    }
    lastTick = now;
  };
  const timer = setInterval(tick, TICK);
  return { tick, stop: () => clearInterval(timer) };
}
