import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { print } from '../report.ts';

export const MEASURES = ['taps', 'seconds', 'kB', 'LCP ms', 'INP ms', 'CLS', 'axe'] as const;
export type Measured = Record<(typeof MEASURES)[number], number>;

/** Sends each largest paint, each interaction and the sum of the shifts of a page to the binding `vital`. */
const OBSERVE = `let shifts = 0; for (const [type, of] of [
  ['largest-contentful-paint', ({ startTime }) => startTime],
  ['event', ({ interactionId, duration }) => interactionId ? duration : 0],
  ['layout-shift', ({ hadRecentInput, value }) => shifts += hadRecentInput ? 0 : value],
]) new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.vital(type, of(entry))))
  .observe({ type, buffered: true, durationThreshold: 16 })`;

type Vital = 'largest-contentful-paint' | 'event' | 'layout-shift';

/** One person's way through the pages of one tab. */
export class Journey {
  readonly page: Page;
  readonly #vitals: Record<Vital, number> = { 'largest-contentful-paint': 0, event: 0, 'layout-shift': 0 };
  readonly #rules = new Set<string>();
  #taps = 0;
  #bytes = 0;
  #startedMs = performance.now();

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(60_000);
  }

  /** Starts to measure, from the load of the page that is open. */
  async start(): Promise<void> {
    const { page } = this;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.clearBrowserCache');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      this.#bytes += encodedDataLength;
    });
    await page.exposeFunction('vital', (type: Vital, value: number) => {
      this.#vitals[type] = Math.max(this.#vitals[type], value);
    });
    await page.addInitScript(OBSERVE);
    this.#startedMs = performance.now();
    await page.reload();
  }

  readonly tap = async (target: Locator): Promise<void> => {
    await target.first().click();
    this.#taps += 1;
  };

  /** A field takes a tap, and its text is typed. */
  readonly type = async (target: Locator, text: string): Promise<void> => {
    await this.tap(target);
    await target.first().fill(text);
  };

  /** Lets axe look at the page, while the time stands still. */
  async look(): Promise<void> {
    const before = performance.now();
    const { pathname } = new URL(this.page.url());
    await this.page.evaluate(axe.source);
    const { violations } = (await this.page.evaluate('axe.run()')) as { violations: { id: string }[] };
    for (const { id } of violations) this.#rules.add(`${pathname} ${id}`);
    this.#startedMs += performance.now() - before;
  }

  async end(): Promise<Measured> {
    const seconds = (performance.now() - this.#startedMs) / 1000;
    await this.look();
    await this.page.waitForTimeout(300);
    const { 'largest-contentful-paint': lcp, event: inp, 'layout-shift': cls } = this.#vitals;
    if (this.#rules.size > 0) print(`  axe: ${[...this.#rules].join(', ')}`);
    const kB = this.#bytes / 1000;
    return { taps: this.#taps, seconds, kB, 'LCP ms': lcp, 'INP ms': inp, CLS: cls, axe: this.#rules.size };
  }
}
