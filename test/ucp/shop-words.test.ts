import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sealProduct } from '../../src/supply/catalog/catalog-tokens.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import { assertShape, BUYER, type Got, givenShopApp, HOME, SHOPPING } from './given-shop.ts';

const stores: Record<string, string> = {};
const items: Record<string, string> = {};

/* What a shop says when it is closed, of places and of refusals, in the buyer's language. */

const app = await givenShopApp(SHOPPING, { VISITOR_CARTS_PER_HOUR: '1000000', VISITOR_REQUESTS_PER_HOUR: '1000000' });
const nextHour = app.now().toZonedDateTimeISO('America/New_York').add({ hours: 4 }).hour;
const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`;
const hours = { operational: `Mo-Su ${clock(nextHour)}-${clock(nextHour + 1)}` };
const products = [
  { id: 'pie', name: 'Plain Pie', price: 900 },
  { id: 'gone', name: 'Pie', price: 900, qty_available: 0 },
];
const categories = [{ id: 'all', name: 'All', products }];
const lines = [
  { external_id: 'open' },
  { external_id: 'windows', name: 'Later Pies', hours, scheduling: { enabled: true, slot_minutes: 30 } },
  { external_id: 'closed', name: 'Closed Pies', hours, scheduling: { enabled: false } },
].map((line, nth) => pizzeria({ ...line, latitude: 40.7383 + nth / 1000, categories }));
const ids = await givenStores(app, lines);
await app.setShop({ mode: 'sandbox', storeIds: ids, ucp: 'sandbox' });
const { db, tokens } = app.service.deps;
for (const [nth, name] of ['open', 'windows', 'closed'].entries()) {
  const storeId = ids[nth] ?? '';
  const { productNo } = await db
    .selectFrom('products')
    .select('productNo')
    .where('storeId', '=', storeId)
    .where('name', '=', 'Plain Pie')
    .executeTakeFirstOrThrow();
  stores[name] = storeId;
  items[name] = sealProduct(tokens, { storeId, productNo });
}
after(() => app.close());

const line = (store: string) => ({ item: { id: items[store] }, quantity: 1 });
const pickup = (optionId?: string) => ({
  fulfillment: { methods: [{ type: 'pickup', ...(optionId ? { groups: [{ selected_option_id: optionId }] } : {}) }] },
});
const shipping = (address: object) => ({ fulfillment: { methods: [{ type: 'shipping', destinations: [address] }] } });
async function create(store: string, more: object, language = 'en'): Promise<Got> {
  const body = { line_items: [line(store)], buyer: BUYER, context: { language }, ...more };
  const got = await app.ask('/checkout-sessions', body);
  if (got.body.id) assertShape('shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout', got.body);
  return got;
}
const faultsOf = ({ body }: Got) =>
  (body.messages ?? []).filter((message: { severity?: string }) => message.severity === 'recoverable');

test('a closed store with windows has the first of them chosen; its `asap` is gone', async () => {
  const got = await create('windows', pickup());
  const [{ options, selected_option_id: selected }] = got.body.fulfillment.methods[0].groups;
  assert.ok(options.every(({ id }: { id: string }) => id !== 'asap'));
  assert.equal(selected, options[0].id);
  assert.deepEqual([got.body.status, faultsOf(got)], ['requires_escalation', []]);
  const [gone] = faultsOf(await create('windows', pickup('asap')));
  const path = '$.fulfillment.methods[0].groups[0].selected_option_id';
  assert.deepEqual([gone.code, gone.path], ['slot_unavailable', path]);
});

test('a closed store without windows says when it opens, by its own clock, in the buyer’s language', async () => {
  const said = {
    en: /^Closed Pies is closed right now\. Opens (at )?.*\d [AP]M\.$/,
    fr: /^C’est fermé en ce moment chez Closed Pies\. Ouvre (à )?.*\d\sh\s00\.$/,
    es: /^Closed Pies ya cerró por ahora\. Abre .*\d [ap]\.\s?m\.$/,
  };
  for (const [language, sentence] of Object.entries(said)) {
    const [closed] = faultsOf(await create('closed', pickup(), language));
    assert.equal(closed.code, 'location_closed');
    assert.match(closed.content, sentence);
  }
});

test('an address abroad, or without a known building, cannot be delivered to', async () => {
  for (const [address, part] of [
    [{ ...HOME, address_country: 'FR' }, '.address_country'],
    [{ ...HOME, street_address: 'Nowhere Boulevard' }, ''],
  ] as const) {
    const got = await create('open', shipping(address));
    const found = faultsOf(got).find(({ code }: { code: string }) => code === 'address_undeliverable');
    assert.ok(found, JSON.stringify(got.body.messages));
    assert.ok(found.path.startsWith('$.fulfillment.methods[0].destinations[0]') && found.path.endsWith(part));
  }
  assert.deepEqual(faultsOf(await create('open', shipping(HOME))), []);
});

test('each sentence is in the buyer’s language; codes and paths are the same', async () => {
  const wanting: [string, object][] = [
    ['open', { ...shipping({ ...HOME, address_country: 'FR' }) }],
    ['open', { ...pickup('gone') }],
    ['open', { line_items: [{ item: { id: items.closed }, quantity: 1 }, line('open')], ...pickup() }],
    ['closed', { ...pickup() }],
    ['open', { buyer: { email: 'no', phone_number: 'no' }, ...pickup() }],
    ['open', {}],
  ];
  for (const [store, more] of wanting) {
    const [english, french] = [await create(store, more), await create(store, more, 'fr')];
    const about = ({ body }: Got) => body.messages.map(({ content: _, ...message }: { content: string }) => message);
    assert.deepEqual(about(french), about(english));
    const texts = french.body.messages.map(({ content }: { content: string }) => content);
    for (const { content } of english.body.messages) assert.ok(!texts.includes(content), content);
  }
});

test('refusals that a buyer may be read are in the buyer’s language, by either transport', async () => {
  const french = { 'accept-language': 'fr-CA' };
  const { id } = (await create('open', pickup())).body;
  await app.ask(`/checkout-sessions/${id}/cancel`, {}, { headers: { 'idempotency-key': 'w1' } });
  const body = { line_items: [line('open')], context: { language: 'es' } };
  const ended = await app.ask(`/checkout-sessions/${id}`, body, { method: 'PUT' });
  assert.deepEqual([ended.body.code, ended.body.content], ['session_ended', 'Este pago ya terminó. Empieza otro.']);
  const content = 'Connectez-vous pour continuer.';
  for (const nobody of [
    await app.ask('/orders/x', {}, { method: 'GET', headers: french }),
    await app.tool('get_order', { id: 'x' }, {}, { headers: french }),
  ])
    assert.deepEqual([nobody.status, nobody.body.code, nobody.body.content], [401, 'identity_required', content]);
});

test('members of a context that single platforms add change nothing, whatever their shape', async () => {
  const search = (more: object) => app.ask('/catalog/search', { query: 'pie', context: more });
  const plain = await search({ location: stores.open });
  assert.ok(plain.body.products.length > 0);
  for (const odd of [{ latitude: 1 }, 'here', [1], null, { address: { postal_code: '10011' } }]) {
    const named = { buyer_address_location: odd, buyer_address_locations: [odd] };
    assert.deepEqual((await search({ location: stores.open, ...named })).body, plain.body);
    assert.deepEqual((await search(named)).body, (await search({})).body);
  }
});

test('products that are sold out are found by their words, and come last', async () => {
  const { products } = (await app.ask('/catalog/search', { query: 'pie', context: { location: stores.open } })).body;
  assert.deepEqual(
    products.map(({ title, variants }: { title: string; variants: { availability: object }[] }) => [
      title,
      variants[0]?.availability,
    ]),
    [
      ['Plain Pie', { available: true, status: 'in_stock' }],
      ['Pie', { available: false, status: 'out_of_stock' }],
    ],
  );
  const closed = (await app.ask('/catalog/search', { query: 'plain pie', context: { location: stores.closed } })).body;
  assert.equal(closed.products[0].variants[0].availability.available, true, 'stock, whatever the hours');
});
