import { parseArgs } from 'node:util';
import { issueAccessCode } from '../src/access/sessions/sign-in.flow.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { launchBrowser, openPage } from '../test/browser/browser.ts';
import { signIn } from '../test/browser/open-console.ts';
import { until } from '../test/until.ts';
import { cardholdersOf, givenShops } from './orders/order-shop.ts';
import { createReport } from './report.ts';
import { givenDatabase, startBenchService } from './setup.ts';

/**
 * The console's board with 300 new orders on a tablet: what a second and one more order cost the page's main thread, by
 * the browser's own count, alongside rendering all cards again. `npm run bench -- board [--quick]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const ORDERS = values.quick ? 100 : 300;
const TURNS = values.quick ? 2 : 5;
const SECONDS = values.quick ? 3 : 10;
const TOGETHER = 8;
/** Milliseconds after a change within which the page is still at work on it. */
const SETTLE_MS = 3000;
const TABLET = { width: 1024, height: 768 };

const report = createReport('board');
const database = await givenDatabase();
const { db } = database;
const [key = ''] = await givenShops(db);
const service = await startBenchService(database, { LOG_LEVEL: 'info', SANDBOX_PACE: 'manual' });
const [shopper] = await cardholdersOf(service.url, [key]);
await Promise.all(Array.from({ length: TOGETHER }, () => place(Math.ceil(ORDERS / TOGETHER))));
const owner = await db.selectFrom('orders').select(['storeId', 'accountId']).limit(1).executeTakeFirstOrThrow();
const { code } = await issueAccessCode(db, owner, systemClock.now());
const browser = await launchBrowser();
const { page } = await openPage(browser, `${service.url}/console?sandbox`, { viewport: TABLET, deviceScaleFactor: 1 });
await signIn(page, code);
const cards = page.locator('article.order');
await until('all orders are shown', async () => (await cards.count()) >= ORDERS);
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable');
await page.waitForTimeout(SETTLE_MS);
const turns: { second: number; order: number; all: number }[] = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  const second = (await costMs(SECONDS * 1000)) / SECONDS;
  const settling = (SETTLE_MS / 1000) * second;
  const order = (await costMs(SETTLE_MS, () => place(1))) - settling;
  await page.getByRole('button', { name: /^Kitchen/ }).click();
  await page.waitForTimeout(SETTLE_MS);
  const all = (await costMs(SETTLE_MS, () => page.getByRole('button', { name: /^New/ }).click())) - settling;
  turns.push({ second, order, all });
}
const middle = (name: 'second' | 'order' | 'all') =>
  turns.map((turn) => turn[name]).sort((a, b) => a - b)[TURNS >> 1] ?? 0;
const peer = { name: 'rendering all', value: middle('all') };
report.add({ what: 'a second', value: middle('second'), unit: 'ms', peer });
report.add({ what: 'one more order', value: middle('order'), unit: 'ms', peer });
await browser.close();
await service.close();
await database.close();
report.finish(`${ORDERS} new orders on a tablet of ${TABLET.width} × ${TABLET.height}`);

/** Milliseconds of the page's main thread from the beginning of the work until the page has settled. */
async function costMs(settleMs: number, work: () => Promise<void> = async () => {}): Promise<number> {
  const before = await taskMs();
  await work();
  await page.waitForTimeout(settleMs);
  return (await taskMs()) - before;
}

async function taskMs(): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

async function place(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const headers = { 'id-token': key, 'content-type': 'application/json' };
    const reply = await fetch(`${service.url}/order/order/v2`, { method: 'POST', headers, body: shopper?.body ?? '' });
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  }
}
