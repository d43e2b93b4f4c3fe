import type { Page } from 'playwright-core';
import { NEXT_FRAMES } from './accessible.ts';

/** Maximum layout shift, a fifth of what counts as good (0.1). */
export const MAX_SHIFT = 0.02;

const MEASURE = `window.shifts = { sum: 0, of: [] };
  window.meter = new PerformanceObserver((list) => window.addShifts(list.getEntries()));
  window.addShifts = (entries) => { for (const entry of entries) {
    window.shifts.sum += entry.value;
    window.shifts.of.push(entry.sources.map(({ node }) => node?.id || node?.className || node?.textContent).join());
  } };
  window.meter.observe({ type: 'layout-shift', buffered: true });`;

/** Accumulates a page's layout shifts from the start. */
export async function measureShifts(page: Page): Promise<void> {
  await page.evaluate(MEASURE);
}

/** The accumulated shifts of a page and the elements that moved. */
export async function shiftsOf(page: Page): Promise<{ sum: number; of: string[] }> {
  await page.evaluate(NEXT_FRAMES);
  return (await page.evaluate('(window.addShifts(window.meter.takeRecords()), window.shifts)')) as {
    sum: number;
    of: string[];
  };
}
