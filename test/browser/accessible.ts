import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type AxeResult = { violations: { id: string; nodes: { html: string }[] }[] };

/** Fails where axe finds a fault in what the page shows now. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResult;
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
