import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { setStoreTerms } from '../../src/ordering/statements/store-terms.db.ts';
import { type StripeDouble, startStripeDouble } from '../fakes/stripe-double.ts';
import { freePort } from '../given/command.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenPhoto } from '../given/photo.ts';
import { type App, type Client, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { closeBrowser, givenBrowser } from './browser.ts';
import { openConsole } from './open-console.ts';
import { openView, showView } from './operator-view.ts';

const TABLET = { width: 820, height: 1180 };
const NAME = 'Canal Street Pizza';
const MATCH = { latitude: 40.7383, longitude: -73.9927, address: '120 5th Ave, New York, NY 10011' };

/** An option with its extra price, and the group that it opens. */
type Option = readonly [name: string, extra?: string, opens?: Group];
type Group = { name: string; options: readonly Option[]; isOptional?: true };
type Item = { name: string; price: string; groups?: readonly Group[]; hasPhoto?: true; isCopy?: true };

const SIZE: Group = {
  name: 'Size',
  options: [['Small'], ['Large', '3.00', { name: 'Crust', options: [['Thin'], ['Stuffed', '1.25']] }]],
};
const TOPPINGS: Group = {
  name: 'Toppings',
  options: [['Olives', '1.50'], ['Chili', '1.00'], ['Capers']],
  isOptional: true,
};
const PORTION: Group = {
  name: 'Portion',
  options: [['Regular'], ['Family', '9.50', { name: 'Cheese', options: [['Parmesan'], ['Pecorino', '0.75']] }]],
};

const item = (name: string, price: string, more: Partial<Item> = {}): Item => ({ name, price, ...more });
const copy = (name: string, price: string) => item(name, price, { isCopy: true });

/** The paper menu: 30 items. A copy has the options of the last item that is none. */
const MENU: readonly (readonly [category: string, items: readonly Item[]])[] = [
  [
    'Starters',
    [
      item('Garlic knots', '6.50'),
      item('Caesar salad', '11.50'),
      item('Minestrone', '8.25'),
      item('Caprese', '12', { hasPhoto: true }),
      item('Fried calamari', '14.75'),
      item('Marinated olives', '5.50'),
    ],
  ],
  [
    'Pizza',
    [
      item('Margherita', '14.50', { groups: [SIZE, TOPPINGS], hasPhoto: true }),
      copy('Marinara', '12.50'),
      copy('Diavola', '16.90'),
      copy('Funghi', '17'),
      copy('Capricciosa', '18.50'),
      copy('Quattro formaggi', '18.50'),
      copy('Bianca', '16'),
      copy('Prosciutto', '19'),
      copy('Ortolana', '17.50'),
    ],
  ],
  [
    'Pasta',
    [
      item('Spaghetti pomodoro', '15', { groups: [PORTION] }),
      copy('Carbonara', '18'),
      copy('Arrabbiata', '16.50'),
      copy('Amatriciana', '18'),
      copy('Cacio e pepe', '17.50'),
    ],
  ],
  [
    'Desserts',
    [
      item('Tiramisu', '8.50', { hasPhoto: true }),
      item('Cannoli', '6'),
      item('Panna cotta', '7.50'),
      item('Affogato', '6.50'),
    ],
  ],
  [
    'Drinks',
    [
      item('Soda', '2.75'),
      item('Sparkling water', '3.50'),
      item('Lemonade', '4.25'),
      item('Iced tea', '4'),
      item('Espresso', '3'),
      item('Cappuccino', '4.75'),
    ],
  ],
];
/** Clicks and keys that are no text, for the whole menu; Tab and Enter of each item are 60 of them. */
const MAX_PRESSES = 115;
const ITEMS = MENU.flatMap(([, items]) => items);

after(closeBrowser);

test('a restaurant without a feed is added, types its menu, sells, refunds, and its statement equals a calculation by hand', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const stripe = await startStripeDouble(undefined);
  const port = await freePort();
  const env = {
    ...{ PORT: port, BASE_URL: `http://127.0.0.1:${port}`, ORDER_CONFIRM_TIMEOUT_MINUTES: '1440' },
    ...{ STRIPE_SECRET_KEY: 'sk_live_secret', STRIPE_WEBHOOK_SECRET: 'whsec_for_tests' },
  };
  // The last day of a month, during the hours of the store.
  const app = await givenApp({ start: '2026-06-30T17:00:00Z', env, stripeUrl: stripe.baseUrl });
  t.after(async () => {
    await app.close();
    await stripe.close();
  });
  const url = await app.service.listen();
  const { storeId, code } = await addStore(browser, app, url);
  const terms = { commissionPercent: 15, perOrderCents: 30 };
  await app.service.deps.db.transaction().execute((tx) => setStoreTerms(tx, storeId, terms, app.now()));

  const { page, faults, close } = await openConsole(browser, url, code, { viewport: TABLET });
  const hands = handsAt(page);
  await hands.click(page.getByRole('link', { name: 'Menu', exact: true }));
  for (const [category, items] of MENU) await typeCategory(hands, category, items);
  const { letters, presses } = hands.counts();
  t.diagnostic(`${ITEMS.length} items: ${letters} letters, ${presses} clicks and other keys`);
  assert.ok(presses <= MAX_PRESSES, `${presses} clicks and other keys`);

  const client = await app.givenClient('live');
  const orderId = await placeOrder(app, client, storeId);
  await takeOrder(page);
  const refund = { order_id: orderId, items: [{ index: 1, quantity: 1 }], reason: 'flat' };
  assert.equal((await client.post('/order/refund', refund)).status, 200);
  await app.advance({ hours: 20 });
  await assertStatement(page, keptOf(stripe));
  assert.deepEqual(faults, []);
  await close();
});

async function addStore(browser: Browser, app: App, url: string): Promise<{ storeId: string; code: string }> {
  const { page, close } = await openView(browser, app, url);
  const json = { results: [{ ...MATCH, precision: 'rooftop' }] };
  await page.route('**/operator/geocode*', (route) => route.fulfill({ json }));
  await showView(page, url, 'stores');
  await page.getByRole('link', { name: 'Add a store…' }).click();
  const fields = {
    ...{ Name: NAME, Phone: '(212) 555-0142', Street: '120 5th Ave', City: 'New York' },
    ...{ 'State or province': 'NY', 'ZIP or postal code': '10011', 'Sales tax, %': '8.875' },
  };
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Look up the address' }).click();
  await page.getByText('Which one is it?').waitFor();
  await page.getByRole('button', { name: 'Add store' }).click();
  await page.getByRole('heading', { name: NAME }).waitFor();
  const storeId = new URL(page.url()).hash.replace('#/stores/', '');
  await page.getByRole('button', { name: 'Invite the owner' }).click();
  const code = await page.locator('.secret').innerText();
  await close();
  return { storeId, code: code.trim() };
}

type Hands = ReturnType<typeof handsAt>;

/** Types and clicks, and counts letters apart from clicks and other keys. */
function handsAt(page: Page) {
  const counts = { letters: 0, presses: 0 };
  return {
    page,
    counts: () => counts,
    async type(text: string) {
      counts.letters += text.length;
      await page.keyboard.insertText(text);
    },
    async press(key: string) {
      counts.presses += 1;
      await page.keyboard.press(key);
    },
    async click(target: Locator | string) {
      counts.presses += 1;
      const button = typeof target === 'string' ? page.getByRole('button', { name: target, exact: true }) : target;
      await button.click();
    },
    /** Two clicks: on the field, and on the photo in the system's dialog. */
    async choosePhoto(buffer: Buffer) {
      counts.presses += 2;
      const file = { name: 'dish.jpg', mimeType: 'image/jpeg', buffer };
      await page.getByLabel('Choose photo').setInputFiles(file);
    },
  };
}

const hasFocus = (field: Locator) => field.evaluate((it) => it === it.ownerDocument.activeElement);
const nameField = (page: Page) => page.getByLabel('Name', { exact: true });

async function typeCategory(hands: Hands, category: string, items: readonly Item[]): Promise<void> {
  const { page } = hands;
  await hands.click(page.getByLabel('New category', { exact: true }));
  await hands.type(category);
  await hands.press('Enter');
  await hands.click(`Add item to ${category}`);
  for (const [at, one] of items.entries()) {
    const before = items[at - 1];
    if (one.isCopy && before && !before.isCopy) await openCopy(hands, before.name);
    await typeItem(hands, one);
  }
  await hands.click('Back');
}

async function openCopy(hands: Hands, name: string): Promise<void> {
  await hands.click('Back');
  await hands.click(`More: ${name}`);
  await hands.click(`Duplicate ${name}`);
}

async function typeItem(hands: Hands, { name, price, groups = [], hasPhoto }: Item): Promise<void> {
  const { page } = hands;
  await until('the name has the focus', () => hasFocus(nameField(page)));
  await hands.type(name);
  await hands.press('Tab');
  await hands.type(price);
  if (hasPhoto) {
    await hands.choosePhoto(await givenPhoto());
    await page.getByRole('img', { name: `Photo of ${name}` }).waitFor();
  }
  for (const group of groups) await typeGroup(hands, 'Add option group', group);
  if (hasPhoto || groups.length > 0) await hands.click('Save and add another');
  else await hands.press('Enter');
  await until(`${name} is saved, and the form is empty`, async () => {
    assert.equal(await page.locator('.menu-form > .error').innerText(), '', name);
    return (await nameField(page).inputValue()) === '';
  });
}

async function typeGroup(hands: Hands, button: string, { name, options, isOptional }: Group): Promise<void> {
  const { page } = hands;
  await hands.click(button);
  const group = page.getByRole('group', { name: 'New option group' });
  await until('the name of the group has the focus', () => hasFocus(group.getByLabel('Group name')));
  await hands.type(name);
  if (isOptional) await page.getByRole('group', { name, exact: true }).getByLabel('Choose at least').fill('0');
  const fields = page.getByRole('group', { name, exact: true }).getByLabel('Option', { exact: true });
  await hands.click(fields);
  for (const [at, [option, extra]] of options.entries()) {
    if (at > 0) await hands.press('Enter');
    await until('the option has the focus', () => hasFocus(fields.nth(at)));
    await hands.type(option);
    if (extra === undefined) continue;
    await hands.press('Tab');
    await hands.type(extra);
  }
  for (const [option, , opens] of options) {
    if (opens) await typeGroup(hands, `Add choices for ${option}`, opens);
  }
}

type Customization = { options: { name: string; option_id: string; customizations: Customization[] }[] };

/** A customer finds the store by its name, and orders two large stuffed pizzas and three sodas. */
async function placeOrder(app: App, client: Client, storeId: string): Promise<string> {
  await app.catchUp();
  const near = { latitude: 40.744, longitude: -73.988 };
  const { stores } = (await client.get('/search/store/v3', { ...near, query: NAME })).body;
  assert.deepEqual(
    stores.map((store: { _id: string }) => store._id),
    [storeId],
  );
  const tokens = await productTokens(client, storeId);
  assert.deepEqual(Object.keys(tokens).toSorted(), ITEMS.map(({ name }) => name).toSorted());
  // A copy, so that its options are its own.
  const { customizations } = (await client.get('/details/product', { product_id: tokens.Diavola ?? '' })).body;
  const chosen = ['Large', 'Stuffed'].map((name) => ({ option_id: optionOf(customizations, name), quantity: 1 }));
  const items = [
    { product_id: tokens.Diavola, quantity: 2, selected_options: chosen },
    { product_id: tokens.Soda, quantity: 3 },
  ];
  const card = await givenPaymentMethod(client);
  const body = orderBody(undefined, card, { items, driver_tip_cents: 600 });
  const reply = await client.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  await app.advance({ seconds: 1 });
  return reply.body.order_id;
}

function optionOf(groups: readonly Customization[], name: string): string | undefined {
  for (const option of groups.flatMap(({ options }) => options)) {
    const found = option.name === name ? option.option_id : optionOf(option.customizations, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The store confirms the order, and its own driver delivers it. */
async function takeOrder(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Orders/ }).click();
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const order = page.locator('article.order');
  await order.getByRole('button', { name: 'Confirm' }).click();
  await press(/^Kitchen/);
  await press(/^Mark ready/);
  await press(/^Ready \d/);
  await press(/^Assign driver/);
  await page.getByLabel('Name').fill('Rosa');
  await page.getByLabel('Phone').fill('(212) 555-0188');
  await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click();
  await order.getByRole('button', { name: 'Driver has it' }).click();
  await order.getByRole('button', { name: 'Delivered' }).click();
  await press(/^Done/);
  await order.waitFor();
}

/** What the card was charged, less refunds. */
function keptOf(stripe: StripeDouble): number {
  const charged = stripe.intents().filter(({ status }) => status === 'succeeded');
  const sum = (all: readonly { amount: number }[]) => all.reduce((cents, { amount }) => cents + amount, 0);
  return sum(charged) - sum(stripe.refunds());
}

/** Whole cents; percents in thousandths. Rounds half up. */
const percent = (cents: bigint, thousandths: bigint) => (cents * thousandths + 50_000n) / 100_000n;
const dollars = (cents: bigint) => `$${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const minus = (cents: bigint) => `-${dollars(cents)}`;

/** The statement of the month that ended, against the paper menu and the terms: 15 % and $0.30 an order. */
async function assertStatement(page: Page, kept: number): Promise<void> {
  const sales = 2n * (1690n + 300n + 125n) + 3n * 275n;
  const [deliveryFee, tip] = [299n, 600n];
  const tax = percent(sales, 8_875n);
  const commission = percent(sales, 15_000n) + 30n;
  // One of three sodas: a third of the tax of its line, and its part of the percentage, but not of the $0.30.
  const [refunded, taxBack] = [275n, percent(3n * 275n, 8_875n) / 3n];
  const commissionBack = percent(refunded, 15_000n);
  const sale = sales + deliveryFee - commission;
  const refund = refunded - commissionBack;
  assert.equal(BigInt(kept), sales + tax + deliveryFee + tip - refunded - taxBack, 'what the card paid');

  await page.getByRole('navigation').getByRole('link', { name: 'Sales' }).click();
  await page.getByRole('link', { name: 'Statements' }).click();
  await page.getByRole('combobox').selectOption('2026-06');
  const cells = (row: Locator) => row.locator('td:not(.text)').allInnerTexts();
  const lines = page.getByRole('region', { name: 'All entries' }).locator('tbody tr');
  await lines.first().waitFor();
  const zero = dollars(0n);
  assert.deepEqual(await cells(lines.nth(0)), [
    ...[dollars(sales), dollars(tax), dollars(deliveryFee), zero, dollars(tip), minus(commission), dollars(sale)],
  ]);
  assert.deepEqual(await cells(lines.nth(1)), [
    ...[minus(refunded), minus(taxBack), zero, zero, zero, dollars(commissionBack), minus(refund)],
  ]);
  assert.equal(await lines.count(), 2);
  const total = page.locator('.wide tfoot .payout');
  assert.equal(await total.innerText(), dollars(sale - refund));
}
