import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { menuEditor, menuSteps, WORDS } from '../../../test/given/menu-edits.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody } from '../../../test/given/orders.ts';
import { type Client, clientOf, givenApp, type Reply } from '../../../test/harness.ts';
import { runs, SEED } from '../../../test/runs.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';

/*
 * Random edits of a menu, each alongside orders through two nodes. `EDITS=10000` makes as many; `PROPERTY_SEED` draws
 * others.
 */

const EDITS = Number(process.env.EDITS ?? runs(200, 50));
/** A search takes longer than the rest, so it is sent after every so many edits. */
const EDITS_PER_SEARCH = 25;
const MAX_ITEMS = 16;

const { app, close, importLines } = await givenImport(givenApp);
after(close);
const storeId = storeIdOf('busy', 'shop');

/** An item whose four prices are different numbers of one edit, so that prices of two edits never fit together. */
const pricesOf = (edit: number) => ({
  price: 1000 + 10 * edit,
  pickup_price: 1003 + 10 * edit,
  customizations: [
    {
      id: 'size',
      name: 'Size',
      options: [
        {
          id: 'big',
          name: 'Big',
          price: 1001 + 10 * edit,
          customizations: [{ id: 'ice', name: 'Ice', options: [{ id: 'ice', name: 'Ice', price: 1002 + 10 * edit }] }],
        },
      ],
    },
  ],
});
await importLines('busy', [
  shop(
    [1, 2, 3].map((edit) => product(`p${edit}`, pricesOf(edit))),
    { hours: { operational: '24/7' }, scheduling: { enabled: false } },
  ),
]);

type Options = readonly { id: string; price: number; customizations: readonly { options: Options }[] }[];
type StoreItem = {
  name: string;
  price: number;
  pickup_price: number | null;
  modes: string[];
  available: boolean;
  customizations: readonly { options: Options }[];
};
/** An item's prices in a fulfillment type: its own, and its options' by name. */
type Line = readonly (string | number)[];
/** A menu version by mode: each category with its lines as a text, and the lines. */
type Version = Record<Mode, { shown: string; lines: ReadonlySet<string> }>;
const MODES = ['delivery', 'pickup'] as const;
type Mode = (typeof MODES)[number];

const optionPrices = (groups: readonly { options: Options }[]): number[] =>
  groups.flatMap(({ options }) => options.flatMap((one) => [one.price, ...optionPrices(one.customizations)]));

const editor = menuEditor(await givenStoreKey(app, storeId), ({ at, price }, name) => {
  const modes = price === 0 ? [MODES[at % 2]] : MODES;
  edits += 1;
  return { name, modes, ...pricesOf(edits) };
});
let edits = 3;

/** The menu as the store reads it. */
async function readVersion() {
  const lists = await editor.read();
  const inMode = (mode: Mode) => {
    const listed = lists.map(({ name, items }) => ({
      name,
      lines: (items as unknown as StoreItem[])
        .filter((one) => one.available && one.modes.includes(mode))
        .map((one): Line => {
          const price = mode === 'pickup' ? (one.pickup_price ?? one.price) : one.price;
          return [one.name, price, ...optionPrices(one.customizations)];
        }),
    }));
    const shown = listed.filter(({ lines }) => lines.length > 0);
    const lines = new Set(shown.flatMap((one) => one.lines.map((line) => JSON.stringify(line))));
    return { shown: JSON.stringify(shown), lines };
  };
  return { lists, version: { delivery: inMode('delivery'), pickup: inMode('pickup') } satisfies Version };
}

type Shown = { name: string; price: number; product_id: string; customizations: readonly { options: Options }[] };
type Category = { name: string; menu_item_list: Shown[] };

/** The menu as a customer reads it, with its version. */
async function readInventory(client: Client, mode: Mode) {
  const { body } = await client.get('/details/inventory', {
    store_id: storeId,
    pickup: mode === 'pickup',
    ...NEAR_DOOR,
  });
  const shown = (body.categories as Category[])
    .map(({ name, menu_item_list: list }) => ({
      name,
      lines: list.map((one): Line => [one.name, one.price, ...optionPrices(one.customizations)]),
    }))
    .filter(({ lines }) => lines.length > 0);
  const items = (body.categories as Category[]).flatMap(({ menu_item_list: list }) => list);
  return { menuId: body.menu_id as string, shown: JSON.stringify(shown), items };
}

const card = await givenPaymentMethod(app);
const clients = [app, clientOf(await app.givenNode('api'), app.accountId, app.key)] as const;
const counted = { placed: 0, quoted: 0, requoted: 0, refused: 0 };
/** Codes that a request may return instead of prices if it meets an edit; a store without items cannot be quoted. */
const REFUSALS = new Set(['product_unavailable', 'invalid_options', 'product_not_found', 'quote_unavailable']);

type FinalQuote = {
  quote: { subtotal: number };
  items: { name: string; base_price: number; customizations: Chosen[] }[];
};
type Chosen = { selected_options: { price: number; customizations: Chosen[] }[] };
const chosenPrices = (groups: Chosen[]): number[] =>
  groups.flatMap(({ selected_options: all }) => all.flatMap((one) => [one.price, ...chosenPrices(one.customizations)]));

/** The items and the amount that a customer saw, compared with the versions before and after the edit. */
type Seen = { mode: Mode; shown?: string; lines?: readonly Line[] };

function pricedLines({ quote, items }: FinalQuote): Line[] {
  const lines = items.map((one): Line => [one.name, one.base_price, ...chosenPrices(one.customizations)]);
  const sum = lines.flatMap((line) => line.slice(1).map(Number)).reduce((all, one) => all + one, 0);
  assert.equal(quote.subtotal, sum, 'the subtotal is the sum of the lines');
  return lines;
}

/** Reads the menu, then quotes or places two items of it, then places the quote. */
async function order(client: Client, mode: Mode, step: number): Promise<Seen[]> {
  const { shown, items } = await readInventory(client, mode);
  const seen: Seen[] = [{ mode, shown }];
  const chosen = [items[step % items.length], items[(step + 1) % items.length]].filter((one) => one !== undefined);
  if (chosen.length === 0) return seen;
  const selected = [
    { option_id: 'big', quantity: 1 },
    { option_id: 'ice', quantity: 1 },
  ];
  const places = step % 3 === 0;
  const take = (reply: Reply, count: 'placed' | 'quoted') => {
    if (reply.status === 200) counted[count] += 1;
    else if (reply.body.code === 'quote_changed') counted.requoted += 1;
    else {
      assert.ok(REFUSALS.has(reply.body.code), reply.text);
      counted.refused += 1;
      return;
    }
    seen.push({ mode, lines: pricedLines(reply.body.final_quote) });
  };
  const body = orderBody(undefined, card, {
    items: chosen.map((one) => ({ product_id: one.product_id, selected_options: selected })),
    pickup: mode === 'pickup',
    driver_tip_cents: 0,
    place_order: places,
  });
  const quoted = await client.post('/order/order/v2', body);
  take(quoted, places ? 'placed' : 'quoted');
  if (places || quoted.status !== 200) return seen;
  take(await client.post('/order/finalize', { order_id: quoted.body.order_id }), 'placed');
  return seen;
}

/** Whether all that was seen at once is of this version. */
function fits({ mode, shown, lines = [] }: Seen, version: Version): boolean {
  const { shown: menu, lines: known } = version[mode];
  return (shown === undefined || shown === menu) && lines.every((line) => known.has(JSON.stringify(line)));
}

test(`${EDITS} random edits during orders: each order uses one version's prices; menu_id and search show each edit at once (PROPERTY_SEED=${SEED})`, async (t) => {
  const steps = fc.sample(menuSteps, { seed: SEED, numRuns: 4 * EDITS });
  const shownBy = new Map<string, string>();
  let { lists, version } = await readVersion();
  let before = await Promise.all(MODES.map((mode) => readInventory(app, mode)));
  let made = 0;
  for (const [n, one] of steps.entries()) {
    if (made === EDITS) break;
    const isFull = lists.flatMap(({ items }) => items).length >= MAX_ITEMS;
    const step = isFull && one.kind < 2 ? { ...one, kind: 4 } : one;
    const orders = clients.map((client, at) => order(client, MODES[(n + at) % 2] ?? 'delivery', one.to + at));
    const [isEdit, ...seen] = await Promise.all([editor.act(step, lists), ...orders]);
    const next = await readVersion();
    for (const saw of seen.flat()) {
      assert.ok(
        fits(saw, version) || fits(saw, next.version),
        `${JSON.stringify({ saw, step, before: version[saw.mode].shown, after: next.version[saw.mode].shown })}`,
      );
    }
    if (isEdit) made += 1;
    const reader = clients[n % 2] ?? app;
    const after = await Promise.all(MODES.map((mode) => readInventory(reader, mode)));
    after.forEach((is, at) => {
      const mode = MODES[at] ?? 'delivery';
      assert.equal(is.shown, next.version[mode].shown, JSON.stringify(step));
      assert.equal(before[at]?.menuId === is.menuId, before[at]?.shown === is.shown, JSON.stringify(step));
      const key = `${mode} ${is.menuId}`;
      assert.equal(shownBy.get(key) ?? is.shown, is.shown, 'a version stands for one menu');
      shownBy.set(key, is.shown);
    });
    ({ lists, version } = next);
    before = after;
    if (isEdit && made % EDITS_PER_SEARCH === 0) await checkSearch(version);
  }
  t.diagnostic(`${made} edits, ${JSON.stringify(counted)}, ${shownBy.size} versions`);
  assert.equal(made, EDITS);
  assert.ok(counted.placed > EDITS);
});

/** Search finds each item that is on sale in a mode, at its price there. */
async function checkSearch(version: Version): Promise<void> {
  await app.catchUp();
  for (const mode of MODES) {
    const lines = [...version[mode].lines].map((line) => JSON.parse(line) as Line);
    for (const word of WORDS) {
      const query = { query: word, store_id: storeId, pickup: mode === 'pickup', ...NEAR_DOOR };
      const { body } = await app.get('/search/product/v4', query);
      const found = (body.products as Shown[]).filter(({ name }) => name === word).map(({ price }) => price);
      const expected = lines.filter(([name]) => name === word).map(([, price]) => price);
      assert.deepEqual(found.sort(), expected.sort(), `${word} ${mode}`);
    }
  }
}
