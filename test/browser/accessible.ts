import assert from 'node:assert/strict';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type AxeResult = { violations: { id: string; nodes: { html: string }[] }[] };

/**
 * Color contrast takes most of the time and is the same for every text of a frame. axe's rule for cells without a
 * heading is experimental.
 */
const TEXT_RULES = { rules: { 'color-contrast': { enabled: false }, 'td-has-header': { enabled: true } } };

/** Ends the wait of `sooner` for what a browser may never say, such as a frame of a page in the background. */
const LONGEST_WAIT_MS = 5000;
const sooner = (promise: string) =>
  `Promise.race([${promise}, new Promise((done) => setTimeout(done, ${LONGEST_WAIT_MS}))])`;

/** A page shows a press, and lays itself out for a new size, in the frame after it. */
export const NEXT_FRAMES = sooner(
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))',
);
/** A paused transition has no end. */
const AT_REST = sooner(
  'Promise.allSettled(document.getAnimations().flatMap((one) => one instanceof CSSTransition ? one.finished : [])).then(() => {})',
);

/** Keeps a picture of what a test sees in the folder `EVERY_LOOK`, for review. */
async function keepLook(page: Page, what: string): Promise<void> {
  const folder = process.env.EVERY_LOOK;
  if (!folder) return;
  const [path, width] = [new URL(page.url()).pathname, page.viewportSize()?.width];
  const look = await page.evaluate(
    "document.documentElement.lang + matchMedia('(prefers-color-scheme: dark)').matches",
  );
  const name = `${path} ${what} ${width} ${look}`.replaceAll(/\W+/g, '-');
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Fails if axe reports a violation on the current page. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await keepLook(page, what);
  // Colors on their way, of a dialog that rises or to another scheme, are not those that stay.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(NEXT_FRAMES);
  await page.evaluate(AT_REST);
  await page.evaluate(axe.source);
  await assertRun(page, 'axe.run()', what);
}

/** Fails if axe reports a violation other than contrast within `selector`. */
export async function assertTextAccessible(page: Page, selector: string, what: string): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  await assertRun(page, `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(TEXT_RULES)})`, what);
}

async function assertRun(page: Page, run: string, what: string): Promise<void> {
  const { violations } = (await page.evaluate(run)) as AxeResult;
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${what}: ${id} ${nodes[0]?.html}`),
    [],
  );
}

/** Asserts that all controls are at least 48 pixels high and nothing overflows horizontally. */
export async function assertFits(page: Page, what: string): Promise<void> {
  await page.evaluate(NEXT_FRAMES);
  await keepLook(page, what);
  const [width, view] = [await page.evaluate('document.documentElement.scrollWidth'), page.viewportSize()?.width ?? 0];
  assert.ok(Number(width) <= view, `${what}: ${width} px wide`);
  const small =
    await page.evaluate(`[...document.querySelectorAll('a, button, select, label.choice, input:not([type=radio], [type=checkbox])')]
    .filter((one) => one.checkVisibility() && !one.matches('.skip') && one.getBoundingClientRect().height < 48)
    .map((one) => one.outerHTML)`);
  assert.deepEqual(small, [], what);
}

/**
 * Asserts that every control is at least `pixels` wide and high, and its label with it; a link within a sentence is as
 * high as its line.
 */
export async function assertTargets(page: Page, pixels: number, what: string): Promise<void> {
  const small =
    await page.evaluate(`[...document.querySelectorAll('a, button, select, summary, input:not([type=hidden]), textarea')]
    .filter((one) => one.checkVisibility() && !one.matches('.skip, p:not(.links, .pair, .reach) a'))
    .map((one) => (one.matches('[type=checkbox], [type=radio], [type=file]') && one.closest('label')) || one)
    .filter((one) => {
      const { width, height } = one.getBoundingClientRect();
      return Math.min(width, height) < ${pixels} - 0.5;
    })
    .map((one) => Math.round(one.getBoundingClientRect().width) + ' × ' + Math.round(one.getBoundingClientRect().height) + ' ' + one.outerHTML.slice(0, 160))`);
  assert.deepEqual(small, [], what);
}

/** Texts that overflow the page, a button or a clipping box, except texts for screen readers, and those one can scroll to. */
const CUT_TEXTS = `(() => {
  const cut = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (text.data.trim() === '' || element.closest('.unseen, .skip, script, style, noscript, option')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [];
    let edge = innerWidth;
    for (let box = element; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
      const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
      if (hides(overflowX) || hides(overflowY) || box.matches('a, button, label.choice, [role=switch]')) boxes.push(box);
      else if (scrolls(overflowX) || scrolls(overflowY)) {
        if (box.scrollWidth > box.clientWidth) edge = Infinity;
        break;
      }
    }
    for (const { left, right, top, bottom, width } of range.getClientRects()) {
      const isOut = boxes.some((box) => {
        const sides = box.getBoundingClientRect();
        return left < sides.left - 1 || right > sides.right + 1 || top < sides.top - 1 || bottom > sides.bottom + 1;
      });
      if (width > 0 && (isOut || (edge === innerWidth && left < -1) || right > edge + 1)) cut.push(text.data.trim());
    }
  }
  return [...new Set(cut)];
})()`;

/** Lengthens every word by 40 %, as a translation may, and restores it. Numbers are unchanged. */
const LENGTHEN = `(() => {
  window.shortTexts = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement.closest('script, style, noscript')) continue;
    const longer = text.data.replace(/\\p{L}{3,}/gu, (word) => word + 'ëñoëñoëño'.slice(0, Math.ceil(word.length * 0.4)));
    if (longer === text.data) continue;
    window.shortTexts.set(text, text.data);
    text.data = longer;
  }
})()`;
const SHORTEN = '{ for (const [text, data] of window.shortTexts) text.data = data; }';

/** Fails if a text is cut off on the current page. */
export async function assertNothingCut(page: Page, what: string): Promise<void> {
  assert.deepEqual(await page.evaluate(CUT_TEXTS), [], `${what}: cut off`);
}

/** Fails if a text is cut off on the current page, now or with words lengthened by 40 %. */
export async function assertWholeTexts(page: Page, what: string): Promise<void> {
  await assertNothingCut(page, what);
  await page.evaluate(LENGTHEN);
  try {
    assert.deepEqual(await page.evaluate(CUT_TEXTS), [], `${what}, 40 % longer: cut off`);
  } finally {
    await page.evaluate(SHORTEN);
  }
}

/** Whether something else covers an element, or it is out of the screen. */
const COVERS = `const isCovered = (one) => {
  const shown = one.offsetWidth > 1 ? one : one.closest('label');
  const { left, right, top, height } = shown.getBoundingClientRect();
  return [0.25, 0.5, 0.75].some((part) => {
    const found = document.elementFromPoint((left + right) / 2, top + part * Math.min(height, innerHeight / 2));
    return !found || !(shown.contains(found) || found.contains(shown));
  });
};`;

/** Fails if a control that gets the focus, by Tab or otherwise, is covered, such as by a bar, or out of the screen. */
export async function assertInReach(page: Page, what: string): Promise<void> {
  await keepLook(page, what);
  const lost = await page.evaluate(`(() => {
    ${COVERS}
    const within = document.querySelector('dialog[open]') ?? document;
    const controls = [...within.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && !one.matches('.skip, .unseen *'));
    return controls.filter((one) => {
      one.focus();
      return document.activeElement === one && isCovered(one);
    }).map((one) => one.outerHTML.slice(0, 160));
  })()`);
  assert.deepEqual(lost, [], `${what}: out of reach`);
}

/** Fails unless the first wrong field has the focus, is marked, and is in sight. */
export async function assertRefusalInSight(page: Page, what: string): Promise<void> {
  await page.evaluate(NEXT_FRAMES);
  const focused = await page.evaluate(`(() => {
    ${COVERS}
    const one = document.activeElement;
    const isMarked = one.ariaInvalid === 'true' || one.closest('[data-wrong]') !== null;
    return [isMarked, isCovered(one), one.outerHTML.slice(0, 160)];
  })()`);
  await keepLook(page, `${what} refused`);
  assert.deepEqual((focused as unknown[]).slice(0, 2), [true, false], `${what}: ${String(focused)}`);
}
