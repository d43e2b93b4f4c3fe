import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createEpsonPrinter, createStarPrinter, type Wire } from '../../../test/fakes/polling-printers.ts';
import { chanceOf } from '../../../test/faults/orders-clients.ts';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenChannel, givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { clientOf } from '../../../test/harness.ts';
import { runs, SEED } from '../../../test/runs.ts';
import { shownOrderNumber } from '../../ordering/order/order.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { insertNotices, listNotices } from './store-notices.db.ts';

const NEVER = { runsOut: () => false };

async function givenPolled(t: TestContext, printer: 'cloudprnt' | 'epson') {
  const shop = await givenLiveShop(t);
  const { app, storeId } = shop;
  const { http, deps } = app.service;
  const operator = await givenOperator(app);
  const setPrinter = async (body: object = { printer }) => {
    const { status, text, body: answer } = await operator.post(`/operator/stores/${storeId}/channels`, body);
    assert.equal(status, 200, text);
    return new URL(answer.printer_url ?? 'http://none.example/none').pathname;
  };
  await givenChannel(app, storeId, { operator: false });
  const path = await setPrinter();
  const wire: Wire = async ({ method, query = {}, headers = {}, payload = '' }) => {
    const reply = await http.inject({ method, url: path, query, headers, ...(payload === '' ? {} : { payload }) });
    return { status: reply.statusCode, type: String(reply.headers['content-type']), body: reply.rawPayload };
  };
  const statesOf = async (orderId: string) =>
    (await listNotices(deps.db, orderId)).map(({ kind, state }) => `${kind} ${state}`);
  const key = await givenStoreKey(app, storeId);
  const health = async () => {
    const [{ state, last_error }] = (await key.get('/store/channels')).body.channels;
    return last_error === null ? state : `${state}: ${last_error}`;
  };
  const create = printer === 'epson' ? createEpsonPrinter : createStarPrinter;
  return { ...shop, path, wire, setPrinter, statesOf, health, create, operator };
}

for (const name of ['cloudprnt', 'epson'] as const) {
  test(`${name}: a ticket waits until the printer says that it is printed`, async (t) => {
    const shop = await givenPolled(t, name);
    const printer = shop.create(shop.wire, NEVER);
    assert.match(shop.path, new RegExp(`^/plugins/cloud-printers/${name}/[\\w-]{32}$`));
    assert.equal(await printer.cycle(), false);
    assert.equal(await shop.health(), 'working');
    const orderId = await shop.place();
    await shop.app.advance({ seconds: 1 });
    assert.deepEqual(await shop.statesOf(orderId), ['offered waiting']);
    assert.equal(await printer.cycle(), true);
    assert.deepEqual(await shop.statesOf(orderId), ['offered acknowledged']);
    const order = (await findAnyOrder(shop.app.service.deps.db, orderId)) ?? assert.fail();
    assert.notEqual(order.receivedAt, null, 'the store has the order');
    const { text } = printer.paper[0] ?? assert.fail('nothing is printed');
    assert.ok(text.includes(shownOrderNumber(order)) && text.includes('Soda'));
    assert.doesNotMatch(text, /REPRINT/);
    await step(shop, orderId, 'cancel');
    assert.equal(await printer.cycle(), true);
    assert.match(printer.paper[1]?.text ?? '', /CANCELED/);
    assert.equal(await printer.cycle(), false);
  });

  test(`${name}: after 1000 cuts every ticket is on paper, and a second one says that it is a reprint`, async (t) => {
    const shop = await givenPolled(t, name);
    const { app, storeId } = shop;
    const { db } = app.service.deps;
    const chance = chanceOf(SEED);
    const wanted = runs(1000, 60);
    let cuts = 0;
    const cut = () => {
      cuts += 1;
      return undefined;
    };
    const wire: Wire = async (request) => {
      const drawn = chance();
      if (drawn < 0.35) return cut();
      const answer = await shop.wire(request);
      return drawn < 0.5 ? cut() : answer;
    };
    const printer = shop.create(wire, { runsOut: () => chance() < 0.05 });
    const orderId = await shop.place();
    await app.advance({ seconds: 1 });
    let copy = 0;
    const waiting = async () => (await listNotices(db, orderId)).some(({ state }) => state === 'waiting');
    for (let idle = 0; cuts < wanted || idle < 3; ) {
      if (cuts < wanted && copy < cuts / 3) {
        copy += 1;
        await insertNotices(db, [{ orderId, storeId, channel: 'printer', kind: 'kitchen_copy', copy, at: app.now() }]);
      }
      const hasPrinted = await printer.cycle();
      idle = hasPrinted || cuts < wanted || (await waiting()) ? 0 : idle + 1;
      // Epson's printers may still be at work after a lost response: their ticket comes again after a pause.
      if (!hasPrinted && name === 'epson') await app.advance({ seconds: 30 });
    }
    assert.deepEqual(
      (await listNotices(db, orderId)).filter(({ state }) => state !== 'acknowledged'),
      [],
    );
    const printed = Map.groupBy(printer.paper, ({ id }) => id);
    assert.equal(printed.size, copy + 1, 'no ticket is lost');
    let reprints = 0;
    for (const [first, ...again] of printed.values()) {
      assert.ok(first);
      for (const { text } of again) assert.match(text, /MAY ALREADY BE PRINTED/);
      reprints += again.length;
    }
    assert.ok(reprints > 0 || wanted < 1000, 'the wire was cut between paper and confirmation');
    t.diagnostic(`${cuts} cuts, ${printed.size} tickets, ${reprints} reprints`);
  });
}

test('a ticket that may be on paper without a confirmation is followed by its cancelation', async (t) => {
  const shop = await givenPolled(t, 'cloudprnt');
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  const unconfirmed = shop.create(async (call) => (call.method === 'DELETE' ? undefined : shop.wire(call)), NEVER);
  await unconfirmed.cycle();
  assert.equal(unconfirmed.paper.length, 1);
  await step(shop, orderId, 'cancel');
  await shop.app.advance({ seconds: 1 });
  const printer = shop.create(shop.wire, NEVER);
  assert.equal(await printer.cycle(), true);
  assert.match(printer.paper[0]?.text ?? '', /CANCELED/);
});

test('a printer that is switched off while its store is closed does not fail; its silence at the opening does', async (t) => {
  const shop = await givenPolled(t, 'cloudprnt');
  const store = await givenStoreKey(shop.app, shop.storeId);
  await shop.wire({ method: 'POST', payload: JSON.stringify({ statusCode: '200 OK' }) });
  await store.post('/store/pause', { minutes: 30 });
  await shop.app.advance({ minutes: 20 });
  assert.equal(await shop.health(), 'working');
  await shop.app.advance({ minutes: 20 });
  assert.equal(await shop.health(), 'failing: The printer has not polled for two minutes.');
});

test('a printer that is out of paper, open or silent for two minutes fails in the console until it works', async (t) => {
  const shop = await givenPolled(t, 'cloudprnt');
  const poll = async (statusCode: string) => {
    const answer = await shop.wire({ method: 'POST', payload: JSON.stringify({ statusCode }) });
    return JSON.parse(answer?.body.toString() ?? '').jobReady;
  };
  await shop.place();
  await shop.app.advance({ seconds: 1 });
  for (const [code, error] of [
    ['410%20Out%20of%20paper', 'The printer is out of paper.'],
    ['420 Cover open', "The printer's cover is open."],
    ['430', 'The printer reports the error 430.'],
  ] as const) {
    assert.equal(await poll(code), false);
    assert.equal(await shop.health(), `failing: ${error}`);
  }
  assert.equal(await poll('200 OK'), true);
  assert.equal(await shop.health(), 'working');
  await shop.app.advance({ seconds: 90 });
  assert.equal(await shop.health(), 'working');
  await shop.app.advance({ seconds: 120 });
  assert.equal(await shop.health(), 'failing: The printer has not polled for two minutes.');
  await poll('211 Paper low');
  assert.equal(await shop.health(), 'working');
  const epson = await shop.setPrinter({ printer: 'epson' });
  const status = (asb: string) =>
    shop.app.service.http.inject({
      method: 'POST',
      url: epson,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        ConnectionType: 'SetStatus',
        Status: `<statusmonitor Version="1.00"><printerstatus devicename="local_printer" asbstatus="0x${asb}"/></statusmonitor>`,
      }).toString(),
    });
  await status('0F08003C');
  assert.equal(await shop.health(), 'failing: The printer is out of paper.');
  await status('0F000014');
  assert.equal(await shop.health(), 'working');
});

test('the secret of a URL is stored as its hash, shown once, and ends with the next one', async (t) => {
  const shop = await givenPolled(t, 'cloudprnt');
  const secret = shop.path.split('/').at(-1) ?? '';
  const { db } = shop.app.service.deps;
  const rows = await db.selectFrom('storeChannels').selectAll().execute();
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(secret));
  const shown = await shop.operator.get(`/operator/stores/${shop.storeId}`);
  assert.doesNotMatch(shown.text, new RegExp(`${secret}|secret`));
  await shop.setPrinter();
  assert.equal((await shop.wire({ method: 'POST', payload: '{}' }))?.status, 404);
});

test('a waiting ticket moves with its store to another polling printer, and is withdrawn after a day', async (t) => {
  const shop = await givenPolled(t, 'cloudprnt');
  const orderId = await shop.place();
  await shop.app.advance({ hours: 1 });
  assert.deepEqual(await shop.statesOf(orderId), ['offered waiting']);
  await givenChannel(shop.app, shop.storeId, { printer: '127.0.0.1:9' });
  await shop.app.advance({ seconds: 1 });
  const [notice] = await listNotices(shop.app.service.deps.db, orderId);
  assert.deepEqual([notice?.state, notice?.attempts], ['waiting', 1], 'the queue has tried');
  await shop.setPrinter();
  await shop.app.advance({ hours: 24 });
  assert.deepEqual(await shop.statesOf(orderId), ['offered withdrawn', 'canceled waiting'], 'a try may be on paper');
});

test('a ticket that the queue takes before its day is over waits for the printer that polls', async (t) => {
  const shop = await givenPolled(t, 'cloudprnt');
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  const { db } = shop.app.service.deps;
  const due = { nextAttemptAt: shop.app.now().toString() };
  await db.updateTable('storeNotices').set(due).where('orderId', '=', orderId).execute();
  await shop.app.advance({ seconds: 1 });
  assert.deepEqual(await shop.statesOf(orderId), ['offered waiting']);
  assert.equal(await shop.create(shop.wire, NEVER).cycle(), true);
});

test('an order that a link confirms before the printer polls is printed', async (t) => {
  const shop = await givenPolled(t, 'cloudprnt');
  await givenChannel(shop.app, shop.storeId, { email: 'kitchen@example.com' });
  const orderId = await shop.place();
  await shop.app.advance({ seconds: 1 });
  const offer = shop.smtp.received.find(({ envelope }) => envelope.to.includes('kitchen@example.com'));
  const [, secret = ''] = /\/console\/order\/([\w-]{22})\b/.exec(offer?.mail.text ?? '') ?? [];
  const link = clientOf(shop.app.service, '', `ds_link_${secret}`);
  assert.equal((await link.post(`/store/orders/${orderId}/confirm`, { preparation_minutes: 10 })).status, 200);
  assert.equal(await shop.create(shop.wire, NEVER).cycle(), true);
});

test('unauthenticated requests to a printer’s URL never return 5xx', async (t) => {
  const star = await givenPolled(t, 'cloudprnt');
  const epson = await star.setPrinter({ printer: 'epson' });
  const chance = chanceOf(SEED);
  const bytes = () => Buffer.from(Array.from({ length: Math.floor(chance() * 40) }, () => Math.floor(chance() * 256)));
  const texts = ['{}', '[]', 'null', '{"statusCode":{}}', 'ConnectionType=SetResponse', 'ConnectionType=GetRequest'];
  const secret = epson.split('/').at(-1) ?? '';
  for (let n = 0; n < runs(500); n += 1) {
    const method = (['GET', 'POST', 'DELETE'] as const)[Math.floor(chance() * 3)] ?? 'GET';
    const base = chance() < 0.5 ? epson : `/plugins/cloud-printers/cloudprnt/${secret}`;
    const query = `token=${encodeURIComponent(bytes().toString('latin1'))}&code=${Math.floor(chance() * 600)}&type=application/vnd.star.line`;
    const text = texts[Math.floor(chance() * texts.length)] ?? '';
    const payload =
      chance() < 0.5
        ? bytes()
        : `${text}&ResponseFile=${encodeURIComponent(`<response success="false" code="${n}"/><printjobid>a.a1</printjobid>`)}`;
    const reply = await star.app.service.http.inject({
      method,
      url: `${base}?${chance() < 0.5 ? query : encodeURIComponent(bytes().toString('latin1'))}`,
      ...(method === 'GET' ? {} : { payload, headers: { 'content-type': 'text/plain' } }),
    });
    assert.ok(reply.statusCode < 500, `${method} ${reply.statusCode} ${reply.body}`);
  }
});
