/*
 * A press is lost when its button moves or is replaced below the finger, so a change of the page during a press is
 * shown after it. A handle that is dragged moves the page itself.
 */

const PRESSED = 'a, button:not(.menu-handle), label, summary';

/** Touch screens send the click of a touch shortly after its end. */
const CLICK_MS = 100;
/** The end of a press may never be reported. */
const MAX_PRESS_MS = 5000;

let waiting: (() => void)[] | undefined;
let timer: number | undefined;

function release(): void {
  const changes = waiting ?? [];
  waiting = undefined;
  for (const change of changes) change();
}

function releaseAfter(ms: number): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(release, ms);
}

/** Shows a change at once, or after the press that is in progress. */
export function showAfterPress(change: () => void): void {
  if (waiting) waiting.push(change);
  else change();
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', ({ target }) => {
    if (!(target instanceof Element) || !target.closest(PRESSED)) return;
    waiting ??= [];
    releaseAfter(MAX_PRESS_MS);
  });
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, () => releaseAfter(CLICK_MS));
  window.addEventListener('click', release);
}
