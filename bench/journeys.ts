import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchBrowser, openPage } from '../test/browser/browser.ts';
import { signIn, TABLET } from '../test/browser/open-console.ts';
import { DESK } from '../test/browser/operator-view.ts';
import { openShop } from '../test/browser/order-in-shop.ts';
import { freePort } from '../test/given/command.ts';
import { until } from '../test/until.ts';
import { Journey, MEASURES, type Measured } from './journeys/journey.ts';
import { createReport, print } from './report.ts';

/**
 * An order on its way through the pages of the demo, from the customer's search to the door, and what each person needs
 * for it: taps, seconds without thinking, bytes, Web Vitals and axe's findings.
 * `npm run bench -- journeys [--before FOLDER] [--turns 3] [--quick]`; with the folder of an older clone, it is
 * measured by turns.
 */
const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    turns: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
  },
});
const TURNS = values.quick ? 1 : Number(values.turns);
const ROOT = resolve(import.meta.dirname, '..');
/** A restaurant of the demo with drivers of its own. */
const STORE = 'Brass Rooster Wings';
const PHONE = { viewport: { width: 390, height: 780 }, reducedMotion: 'no-preference' as const };
const HERE = { latitude: 41.8827, longitude: -87.6493 };

const run = promisify(execFile);

type Demo = { url: string; inviteStore(): Promise<string>; inviteOperator(): Promise<string>; close(): Promise<void> };

/** Starts the demo of a clone with data of its own; no one steps in for the store. */
async function startDemo(folder: string): Promise<Demo> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-journeys-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: port, SANDBOX_PACE: 'manual' };
  const command = [join(folder, 'bin/doorstep')];
  const child = spawn(process.execPath, [...command, 'demo'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(`the demo in ${folder} is ready`, () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok && said.includes('Ctrl-C'),
      () => false,
    ),
  );
  const { account_id: accountId, key } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  const search = new URLSearchParams({ query: STORE, latitude: `${HERE.latitude}`, longitude: `${HERE.longitude}` });
  const found = (await (await fetch(`${url}/search/store/v3?${search}`, { headers: { 'id-token': key } })).json()) as {
    stores: { _id: string }[];
  };
  const storeId = found.stores[0]?._id ?? '';
  const invite = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [...command, ...args], { cwd: folder, env });
    return stdout.match(/code\s+([\w-]+)/)?.[1] ?? '';
  };
  return {
    url,
    inviteStore: () => invite('stores', 'invite', storeId, '--sandbox', accountId),
    inviteOperator: () => invite('operators', 'invite', '--name', 'Ana Ruiz', '--role', 'admin'),
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const DIGITS: Readonly<Record<string, number>> = { seconds: 1, CLS: 3 };
const LIMITS: Readonly<Record<string, number>> = { CLS: 0.1, axe: 0 };

/** Each person's task. */
const WAYS = {
  customer: 'a customer finds a store, chooses a dish, pays by a new card, and sees the status',
  store: 'a store signs in, confirms the order, marks it ready, and assigns a driver',
  operator: 'an operator signs in, and finds the order by its ID',
  driver: 'a driver accepts, picks up, and delivers',
};

type Walks = Readonly<Record<string, Measured>>;

/** Everyone's part of one order. */
async function walk(browser: Browser, demo: Demo): Promise<Walks> {
  const open = (path: string, options: BrowserContextOptions) => openPage(browser, demo.url + path, options);
  const console = await open('/console?sandbox', { viewport: { ...TABLET, height: 1024 } });
  const code = await demo.inviteStore();
  const customer = await openShop(browser, demo.url, '', PHONE);
  const ordered = await order(new Journey(customer.page));
  const orderId = new URL(customer.page.url()).searchParams.get('tracking_id') ?? '';
  const cooked = await cook(new Journey(console.page), code);
  const operator = await open('/console/operator', { viewport: DESK });
  const found = await find(new Journey(operator.page), await demo.inviteOperator(), orderId);
  const driver = await open(cooked.path, { ...PHONE, permissions: ['geolocation'], geolocation: HERE });
  const driven = await drive(new Journey(driver.page));
  for (const { close } of [customer, console, operator, driver]) await close();
  return { customer: ordered, store: cooked.measured, operator: found, driver: driven };
}

/** A customer finds the store, chooses a dish, and pays by a new card, until the status is there. */
async function order(journey: Journey): Promise<Measured> {
  const { page, tap, type } = journey;
  await journey.start();
  await tap(page.locator('section[aria-busy=false] .store-card', { hasText: STORE }).locator('a'));
  await page.locator('.terms').waitFor();
  await journey.look();
  await tap(page.locator('.product:not(.off) .product-text, .product:not(.off) button'));
  const dialog = page.locator('dialog[open]');
  await dialog.locator('button[type=submit]').waitFor();
  for (const group of await dialog.locator('fieldset:has(input[type=radio]):not(:has(input:checked))').all())
    await tap(group.locator('label:has(input[type=radio])'));
  await tap(dialog.locator('button[type=submit]'));
  await tap(page.locator('.cart-bar button'));
  await page.locator('.totals:visible').first().waitFor();
  await journey.look();
  await tap(page.getByRole('button', { name: /^Go to checkout/ }).last());
  await page.waitForURL(/\/checkout\//);
  await type(page.locator('#name'), 'Ana Pérez');
  await type(page.locator('#email'), 'ana@example.com');
  await type(page.locator('#phone'), '(312) 555-0142');
  await tap(page.locator('#card'));
  await type(page.locator('input[name=card_number]'), '4242 4242 4242 4242');
  await type(page.locator('input[name=expiration]'), '12/40');
  await type(page.locator('input[name=cvc]'), '123');
  await journey.look();
  await tap(page.locator('button[type=submit]'));
  await tap(page.locator('#place'));
  await page.waitForURL(/[?&](order|tracking)_id=/);
  const status = page.locator('main[data-stage], #receipt');
  const link = page.locator('a[href*="tracking_id="]');
  await status.or(link).first().waitFor();
  // Earlier pages led to the list of orders.
  if ((await status.count()) === 0) await tap(link);
  await status.first().waitFor();
  return journey.end();
}

/** A store signs in, accepts the order, marks it ready, and gives it to a driver. Returns the path of the driver's page. */
async function cook(journey: Journey, code: string): Promise<{ path: string; measured: Measured }> {
  const { page, tap, type } = journey;
  const button = (name: RegExp) => page.getByRole('button', { name });
  await journey.start();
  await signIn(page, code);
  await tap(page.locator('.order').getByRole('button', { name: /^Confirm/ }));
  await tap(button(/^Kitchen/));
  await tap(button(/^Mark ready|^Ready for|^Ready$/));
  await tap(button(/^Ready /));
  await journey.look();
  await tap(page.locator('.order').getByRole('button', { name: /^Assign driver/ }));
  await type(page.getByRole('dialog').getByLabel('Name'), 'Lee Chen');
  await type(page.getByRole('dialog').getByLabel('Phone'), '(312) 555-0143');
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Assign' }));
  const picture = page.locator('.driver-link img');
  const path = String(await picture.getAttribute('src')).replace(/\/code.svg$/, '');
  return { path, measured: await journey.end() };
}

/** An operator signs in, and finds the order by its id. */
async function find(journey: Journey, code: string, orderId: string): Promise<Measured> {
  const { page, tap, type } = journey;
  await journey.start();
  await type(page.getByLabel('Access code'), code);
  await tap(page.getByRole('button', { name: 'Sign in' }));
  await tap(page.getByRole('link', { name: 'Orders', exact: true }));
  await type(page.getByRole('searchbox'), orderId);
  await tap(page.getByRole('button', { name: 'Search' }));
  await tap(page.locator(`td a[href*="${orderId}"]`));
  await page.locator(`main[data-view^="orders/${orderId}"] h1`).waitFor();
  return journey.end();
}

/** A driver accepts, picks up and delivers. */
async function drive(journey: Journey): Promise<Measured> {
  const { page, tap } = journey;
  await journey.start();
  for (const stage of ['assigned', 'accepted', 'picked_up']) {
    await page.locator(`main[data-stage="${stage}"]`).waitFor();
    await tap(page.locator('#step:enabled'));
    await journey.look();
  }
  return journey.end();
}

const browser = await launchBrowser();
const report = createReport('journeys');
const folders = [ROOT, ...(values.before === undefined ? [] : [resolve(values.before)])];
const demos = await Promise.all(folders.map(startDemo));
const turns: Walks[][] = demos.map(() => []);
for (let turn = 0; turn < TURNS; turn += 1)
  for (const [index, demo] of demos.entries()) {
    print(`${turn + 1}: ${folders[index]}`);
    turns[index]?.push(await walk(browser, demo));
  }
for (const { close } of demos) await close();
await browser.close();
const rows = Object.entries(WAYS).flatMap(([person, way]) =>
  turns.map((walks, index) => {
    const measured = MEASURES.map(
      (name) => [name, middleOf(walks.map((walked) => walked[person]?.[name] ?? Number.NaN))] as const,
    );
    const what = index === 0 ? way : 'before';
    for (const [unit, value] of index === 0 ? measured : [])
      report.add({ what: person, value, unit, ...(LIMITS[unit] !== undefined && { limit: { max: LIMITS[unit] } }) });
    return `| ${[what, ...measured.map(([name, value]) => value.toFixed(DIGITS[name] ?? 0))].join(' | ')} |`;
  }),
);
const table = [`| | ${MEASURES.join(' | ')} |`, `|${'---|'.repeat(MEASURES.length + 1)}`, ...rows].join('\n');
report.finish(`the middle of ${TURNS} in Chromium`, table);

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
