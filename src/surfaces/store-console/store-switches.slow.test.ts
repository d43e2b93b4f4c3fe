import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenApp } from '../../../test/harness.ts';
import { storeIdOf } from '../../supply/stores/store-id.ts';

const { app, close, importLines } = await givenImport(givenApp);
after(close);
const storeId = storeIdOf('switches', 'shop');
const SIZE = {
  id: 'size',
  name: 'Size',
  options: [
    { id: 's', name: 'Small' },
    { id: 'a/b c', name: 'Large', price: 50 },
  ],
};
const MENU = [
  product('pie', { name: 'Margherita', customizations: [SIZE] }),
  product('cola', { qty_available: 3 }),
  product('tea'),
];
const HOURS = { hours: { operational: '24/7' }, scheduling: { enabled: false } };
await importLines('switches', [shop(MENU, HOURS)]);
const key = await givenStoreKey(app, storeId);
const sandboxKey = await givenStoreKey(app, storeId, app.accountId);

const elsewhere = async (pickup = true) => {
  await app.catchUp();
  const query = { store_id: storeId, pickup, include_quote: true, user_latitude: 40.744, user_longitude: -73.988 };
  return (await app.get('/details/inventory', query)).body;
};

test('GET /store tells hours in the form that PUT takes, pause, switches and whose orders the caller sees', async () => {
  const { status, body } = await key.get('/store');
  assert.equal(status, 200);
  const { hours, ...rest } = body;
  assert.deepEqual(rest, {
    store_id: storeId,
    name: 'Test Pizzeria',
    type: 'restaurant',
    mode: 'live',
    time_zone: 'America/New_York',
    language: 'en',
    is_open: true,
    paused_until: null,
    busy: null,
    own_hours: false,
    hours_exceptions: [],
    own_hours_exceptions: false,
    kitchen: { orders: null, items: null },
    preparation: 'stated',
    photos: { logo: [], store: [], food: [] },
    online_ordering: true,
    delivery_enabled: true,
    accept_delivery: true,
    pickup_enabled: true,
    accept_pickup: true,
    delivery_parties: [{ party: 'first', accepting: true, reach: 'within 3 miles', zones: 1, radius_miles: 3 }],
    missing: ['photo', 'channel'],
    shop_pages: [],
  });
  assert.equal(hours.delivery.Sunday, 'Open 24 hours');
  assert.equal((await sandboxKey.get('/store')).body.mode, 'sandbox');
});

test('the console’s pages use the tablet’s language, then the store’s, then the browser’s', async () => {
  const read = async (path: string, headers: Record<string, string>) => {
    const { text, headers: sent } = await app.get(path, {}, { accept: 'text/html', ...headers });
    const [, lang, title] = /<html lang="(\w+)">.*?<title>([^<]*)/s.exec(text) ?? [];
    assert.equal(sent['content-language'], lang);
    return [lang, title];
  };
  const french = { 'accept-language': 'fr-CA,en;q=0.5' };
  assert.deepEqual(await read('/console', french), ['fr', 'Se connecter · Doorstep']);
  const chosen = { ...french, cookie: 'doorstep_language=es' };
  assert.deepEqual(await read('/console', chosen), ['es', 'Iniciar sesión · Doorstep']);
  assert.deepEqual(await read('/console', { ...french, cookie: 'doorstep_language=xx' }), [
    'fr',
    'Se connecter · Doorstep',
  ]);
  assert.deepEqual(await read('/console/order/none', chosen), ['es', 'Enlace no válido · Doorstep']);
});

test('PUT /store/language sets the store’s language; an unknown language is rejected', async () => {
  const set = await key.put('/store/language', { language: 'es' });
  assert.deepEqual([set.status, set.body.language], [200, 'es']);
  assert.equal((await key.put('/store/language', { language: 'de' })).body.code, 'invalid_request');
  assert.equal((await key.put('/store/language', { language: 'en' })).body.language, 'en');
});

test('PUT /store/kitchen sets the kitchen’s capacity, null for no limit', async () => {
  const set = await key.put('/store/kitchen', { orders: 8, items: null });
  assert.deepEqual([set.status, set.body.kitchen], [200, { orders: 8, items: null }]);
  assert.equal((await key.put('/store/kitchen', { orders: 0, items: null })).body.code, 'invalid_request');
  assert.equal((await key.put('/store/kitchen', { orders: null, items: null })).body.kitchen.orders, null);
});

test('a product goes off and on sale and gets its stock, null counts none, and another answer shows it at once', async () => {
  const itemsOf = async () => (await elsewhere()).categories[0].menu_item_list.map((one: { name: string }) => one.name);
  const patch = (body: object, id = 'cola') => key.patch(`/store/products/${id}`, body);
  assert.deepEqual((await patch({ available: false })).body, {
    external_id: 'cola',
    name: 'cola',
    category: 'C',
    available: false,
    available_at: null,
    qty_available: 3,
    options: [],
    change_id: '1',
  });
  assert.deepEqual(await itemsOf(), ['Margherita', 'tea']);
  assert.equal((await patch({ available: true, qty_available: 8 })).body.qty_available, 8);
  assert.deepEqual(await itemsOf(), ['Margherita', 'cola', 'tea']);
  assert.equal((await patch({ qty_available: null })).body.qty_available, null);
  for (const [body, name] of [
    [{}, 'available'],
    [{ available: null }, 'available'],
    [{ available: true, until: 'tomorrow' }, 'until'],
    [{ qty_available: 1, until: 'tomorrow' }, 'until'],
  ] as const) {
    const refused = await patch(body);
    assert.deepEqual([refused.status, refused.body.errors[0].name], [400, name]);
  }
  const unknown = await patch({ available: false }, 'none');
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'product_not_found']);
});

test('a product that is sold out until tomorrow returns by itself at the first opening, unless it is switched before', async () => {
  const isSold = async () =>
    (await elsewhere()).categories[0].menu_item_list.some((one: { name: string }) => one.name === 'tea');
  const patch = async (body: object) => (await key.patch('/store/products/tea', body)).body;
  const untilTomorrow = { available: false, until: 'tomorrow' };
  await key.put('/store/hours', { hours: { operational: 'Mo-Su 11:00-22:00' } });
  const { available, available_at: atS, change_id: change } = await patch(untilTomorrow);
  const opening = Temporal.Instant.fromEpochMilliseconds(atS * 1000).toZonedDateTimeISO('America/New_York');
  assert.deepEqual([available, opening.toPlainTime().toString()], [false, '11:00:00']);
  assert.equal((await key.get('/store/products', { off_sale: true })).body.products[0].available_at, atS);
  const advanceTo = (epochS: number) => app.advance({ milliseconds: epochS * 1000 - app.now().epochMilliseconds });
  await advanceTo(atS - 60);
  assert.equal(await isSold(), false);
  await advanceTo(atS + 60);
  assert.equal(await isSold(), true);
  assert.equal((await key.get('/store/products', { query: 'tea' })).body.products[0].available_at, null);
  const late = await key.post(`/store/menu/changes/${change}/undo`);
  assert.deepEqual([late.status, late.body.code], [409, 'menu_changed']);

  const again = await patch(untilTomorrow);
  assert.equal((await patch({ available: false })).available_at, null);
  await advanceTo(again.available_at + 60);
  assert.equal(await isSold(), false, 'sold out for good after all');
  const { change_id: third } = await patch(untilTomorrow);
  assert.equal((await key.post(`/store/menu/changes/${third}/undo`)).status, 200);
  assert.equal((await key.get('/store/products', { query: 'tea' })).body.products[0].available_at, null);

  const { available_at: last } = await patch(untilTomorrow);
  await importLines('switches', [shop([...MENU.slice(0, 2), product('tea', { available: false })], HOURS)]);
  await advanceTo(last + 60);
  assert.equal(await isSold(), false, 'the feed has taken it off sale meanwhile');
  await importLines('switches', [shop(MENU, HOURS)]);
  await key.put('/store/hours', { hours: null });
  assert.equal(await isSold(), true);
});

test('an option goes off and on sale by any ID text; an unknown one returns 404', async () => {
  const url = `/store/options/pie/${encodeURIComponent('a/b c')}`;
  const options = (await key.patch(url, { available: false })).body.options;
  assert.deepEqual(options, [
    { external_id: 's', name: 'Small', customization: 'Size', available: true },
    { external_id: 'a/b c', name: 'Large', customization: 'Size', available: false },
  ]);
  const [pie] = (await elsewhere()).categories[0].menu_item_list;
  assert.equal(pie.customizations[0].options.length, 1);
  assert.equal((await key.patch(url, { available: true })).body.options[1].available, true);
  for (const path of ['pie/none', 'none/s']) {
    const { status, body } = await key.patch(`/store/options/${path}`, { available: false });
    assert.deepEqual([status, body.code], [404, 'product_not_found'], path);
  }
  assert.equal((await key.patch(url, {})).body.errors[0].name, 'available');
});

test('a pause of 1 to 1440 minutes closes the store until it ends or the store resumes; both may be repeated', async () => {
  const pause = (minutes: unknown) => key.post('/store/pause', { minutes });
  const untilS = app.now().add({ minutes: 30 }).epochMilliseconds / 1000;
  for (const _ of ['first', 'again']) {
    const { status, body } = await pause(30);
    assert.deepEqual([status, body.paused_until, body.is_open], [200, untilS, false]);
  }
  assert.deepEqual((await elsewhere()).quote, { error: 'This store is closed.' });
  const { body } = await app.get('/search/store/v3', {
    latitude: NEAR_DOOR.user_latitude,
    longitude: NEAR_DOOR.user_longitude,
  });
  assert.equal(body.stores[0].is_open, false);
  for (const _ of ['first', 'again']) {
    const resumed = await key.post('/store/resume');
    assert.deepEqual([resumed.status, resumed.body.paused_until, resumed.body.is_open], [200, null, true]);
  }
  assert.equal((await elsewhere()).quote.asap_available, true);
  for (const minutes of [1, 1440]) assert.equal((await pause(minutes)).status, 200);
  assert.equal((await key.post('/store/resume')).status, 200);
});

test('a pause until the next opening ends when the hours open again; a store that never closes has none', async () => {
  const pause = (body: object) => key.post('/store/pause', body);
  const faultOf = async (body: object) => {
    const { status, body: refusal } = await pause(body);
    return [status, refusal.errors[0].name];
  };
  assert.equal((await key.put('/store/hours', { hours: { operational: 'Mo-Su 00:00-24:00' } })).status, 200);
  assert.deepEqual(await faultOf({ until: 'next_opening' }), [400, 'until']);
  assert.match(
    (await pause({ until: 'next_opening' })).body.detail,
    /^until .* the store never closes; send `minutes`/,
  );
  const today = app.now().toZonedDateTimeISO('America/New_York');
  await key.put('/store/hours', { hours: { operational: 'Mo-Su 09:00-22:00' } });
  const opening = today
    .toPlainDate()
    .add({ days: 1 })
    .toZonedDateTime({ timeZone: today.timeZoneId, plainTime: '09:00' });
  const { status, body } = await pause({ until: 'next_opening' });
  assert.deepEqual([status, body.paused_until, body.is_open], [200, opening.epochMilliseconds / 1000, false]);
  assert.equal((await key.post('/store/resume')).body.paused_until, null);
  assert.deepEqual(await faultOf({ until: 'next_opening', minutes: 5 }), [400, 'minutes']);
  assert.equal((await key.put('/store/hours', { hours: null })).status, 200);
});

test('hours use the feed’s format, and errors return 400; null restores the feed’s hours', async () => {
  const put = (hours: unknown, more: object = {}) => key.put('/store/hours', { hours, ...more });
  const { body } = await put({ operational: { Monday: '11:00AM - 10:00PM' }, pickup: 'Mo-Fr 09:00-17:00' });
  assert.deepEqual(
    [body.own_hours, body.hours.operational.Monday, body.hours.delivery.Tuesday, body.hours.pickup.Friday],
    [true, '11:00AM - 10:00PM', 'Closed', '09:00AM - 05:00PM'],
  );
  const again = await put(body.hours, { hours_exceptions: [] });
  assert.deepEqual([again.status, again.body.hours], [200, body.hours]);
  const faultsOf = async (hours: unknown, more: object = {}) => {
    const refused = await put(hours, more);
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
    return refused.body.errors.map((fault: { name: string; message: string }) => `${fault.name} ${fault.message}`);
  };
  const [misspelled, wrong] = await faultsOf({ operational: { Mnday: 'Closed' }, delivery: { Friday: 'all day' } });
  assert.match(misspelled, /^hours\.operational must be weekly hours.*"Mnday" is no weekday; nothing is changed$/);
  assert.match(wrong, /^hours\.delivery must be weekly hours.*"all day" of Friday; nothing is changed$/);
  assert.match(
    (await faultsOf({ operational: 'Dec 25 off' }))[0],
    /^hours\.operational must be weekly hours.*nothing is changed$/,
  );
  assert.deepEqual(await faultsOf({ operational: '24/7; Dec 25 off' }), [
    'hours must be hours of weekdays; write dates as hours_exceptions',
  ]);
  assert.match((await faultsOf({ operational: '24/7; PH off' }))[0], /^hours\.operational must be no holidays/);
  assert.deepEqual(await faultsOf({ oparational: '24/7' }), [
    'hours must be an object with at least one of operational, delivery, pickup, dine_in',
  ]);
  assert.deepEqual(await faultsOf('24/7'), ['hours must be an object or null']);
  assert.deepEqual(await faultsOf(undefined), ['hours is required']);
  assert.deepEqual(await faultsOf({ operational: 'x' }, { hours_exceptions: [{ from: '2026-12-25', hours: 7 }] }), [
    'hours.operational must be weekly hours, or dates: cannot read "x"; nothing is changed',
    'hours_exceptions[0].hours must be "Closed", "Open 24 hours", or ranges such as "11:00AM - 02:00PM, 05:00PM - 11:00PM" or "11:00-14:00,17:00-23:00"',
  ]);
  const today = app.now().toZonedDateTimeISO('America/New_York').toPlainDate().toString();
  const dated = await put(undefined, {
    hours_exceptions: [{ from: today, hours: '10:00-02:00', channel: 'delivery' }],
  });
  const exceptions = [{ from: today, to: today, hours: '10:00AM - 02:00AM', channel: 'delivery' }];
  const { hours_exceptions: shown, own_hours_exceptions: own, own_hours: stays, hours } = dated.body;
  assert.deepEqual([dated.status, shown, own, stays, hours], [200, exceptions, true, true, body.hours]);
  assert.deepEqual((await put(body.hours)).body.hours_exceptions, exceptions, 'left out: stays');
  assert.equal((await put(undefined, { hours_exceptions: null })).body.own_hours_exceptions, false);
  const back = await put(null);
  assert.deepEqual([back.body.own_hours, back.body.hours.operational.Monday], [false, 'Open 24 hours']);
});

test('the list finds products by words and by off-sale state, options included, page by page', async () => {
  const list = async (query: string) => {
    const { status, body } = await key.get(`/store/products?${query}`);
    assert.equal(status, 200);
    return body;
  };
  const idsOf = async (query: string) =>
    (await list(query)).products.map((one: { external_id: string }) => one.external_id);
  assert.deepEqual(await idsOf(''), ['pie', 'cola', 'tea']);
  assert.deepEqual(await idsOf('query=MARG'), ['pie']);
  assert.deepEqual(await idsOf('query=rita'), []);
  assert.deepEqual(await idsOf('off_sale=true'), []);
  await key.patch('/store/options/pie/s', { available: false });
  await key.patch('/store/products/tea', { available: false });
  await key.patch('/store/products/cola', { qty_available: 0 });
  assert.deepEqual(await idsOf('off_sale=true'), ['pie', 'cola', 'tea']);
  assert.deepEqual(await idsOf('off_sale=true&query=te'), ['tea']);

  const many = Array.from({ length: 1100 }, (_, n) => ({ id: `o${n}`, name: `O${n}` }));
  const long = (id: string) => product(id, { customizations: [{ id: 'c', name: 'C', options: many }] });
  const short = Array.from({ length: 60 }, (_, n) => product(`p${n}`));
  await importLines('switches', [
    shop([long('l1'), long('l2'), long('l3'), ...short], { hours: { operational: '24/7' } }),
  ]);
  const pages: string[][] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page = await list(`after=${after}`);
    pages.push(page.products.map((one: { external_id: string }) => one.external_id));
    after = page.next_after;
  }
  assert.deepEqual(
    pages.map((ids) => [ids[0], ids.length]),
    [
      ['l1', 2],
      ['l3', 50],
      ['p49', 11],
    ],
  );
  await importLines('switches', [shop(MENU, { hours: { operational: '24/7' } })]);
});

test("a store's own photos stay in search until the feed brings others of the same kind", async () => {
  const photosOf = (photos: object) => shop(MENU, { ...HOURS, photos });
  const [ours, theirs, later] = ['ours', 'theirs', 'later'].map((name) => `https://cdn.example/${name}.png`);
  await importLines('switches', [photosOf({ logo: [theirs], food: [theirs] })]);
  const shown = async () => {
    await app.catchUp();
    const { body } = await app.get('/search/store/v3', { latitude: 40.744, longitude: -73.988 });
    const { logo_photos: logo, store_photos: store, food_photos: food } = body.stores[0];
    return { logo, store, food };
  };
  const set = (body: object, as = key) => as.put('/store/photos', body);
  const { status, body } = await set({ logo: [ours], store: [ours] });
  assert.deepEqual([status, body.photos], [200, { logo: [ours], store: [ours], food: [theirs] }]);
  assert.deepEqual(await shown(), body.photos);
  assert.deepEqual((await set({ food: [] })).body.photos, { logo: [ours], store: [ours], food: [] });
  await importLines('switches', [photosOf({ logo: [theirs], food: [later] })]);
  assert.deepEqual(await shown(), { logo: [ours], store: [ours], food: [later] });
  assert.deepEqual((await set({ logo: null, store: null })).body.photos, { logo: [theirs], store: [], food: [later] });
  const bad = await set({ logo: ['javascript:alert(1)'], food: ['http://['] });
  assert.deepEqual(
    [bad.status, bad.body.errors.map(({ name }: { name: string }) => name)],
    [400, ['logo[0]', 'food[0]']],
  );
  assert.equal((await set({ food: Array(21).fill(ours) })).status, 400);
  assert.equal((await set({ logo: [] }, sandboxKey)).body.code, 'live_only');
  assert.deepEqual(await shown(), { logo: [theirs], store: [], food: [later] });
});
