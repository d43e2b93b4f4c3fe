import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type AxeResult = { violations: { id: string; nodes: { html: string }[] }[] };

/** Contrast takes most of the time, and is the same for each text of a frame. Cells without a heading are a trial of axe. */
const TEXT_RULES = { rules: { 'color-contrast': { enabled: false }, 'td-has-header': { enabled: true } } };

/** Fails where axe finds a fault in what the page shows now. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axe.source);
  await assertRun(page, 'axe.run()', what);
}

/** Fails where axe finds a fault other than a contrast in the part of a page that `selector` names. */
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

/** Everything that is pressed is 48 pixels high at least, and nothing runs out of the page at its side. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const [width, view] = [await page.evaluate('document.documentElement.scrollWidth'), page.viewportSize()?.width ?? 0];
  assert.ok(Number(width) <= view, `${what}: ${width} px wide`);
  const small =
    await page.evaluate(`[...document.querySelectorAll('a, button, select, label.choice, input:not([type=radio], [type=checkbox])')]
    .filter((one) => one.checkVisibility() && !one.matches('.skip') && one.getBoundingClientRect().height < 48)
    .map((one) => one.outerHTML)`);
  assert.deepEqual(small, [], what);
}
