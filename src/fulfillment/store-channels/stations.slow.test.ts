import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEscpos } from '../../../test/fakes/escpos-decoder.ts';
import { createStarPrinter, type Wire } from '../../../test/fakes/polling-printers.ts';
import { startTcpPrinter } from '../../../test/fakes/tcp-printer.ts';
import { givenLiveShop, step } from '../../../test/given/live-shop.ts';
import { givenChannel, givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { productTokens } from '../../../test/given/orders.ts';
import { listNotices } from './store-notices.db.ts';

test('each store printer gets its categories’ items, and expo all of them', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, storeId, client } = shop;
  await givenChannel(app, storeId, { operator: false });
  const operator = await givenOperator(app);
  const set = async (body: object) => {
    const answer = await operator.post(`/operator/stores/${storeId}/channels`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const printers = await Promise.all(['grill', 'expo'].map(async (name) => ({ name, fake: await startTcpPrinter() })));
  t.after(() => Promise.all(printers.map(({ fake }) => fake.close())));
  for (const { name, fake } of printers)
    await set({ printer: `${name}=${fake.target}`, ...(name === 'grill' ? { stations: ['pies'] } : {}) });
  const bar = await set({ printer: 'bar=cloudprnt', stations: ['Specials', 'Wine'] });
  const wire: Wire = async ({ method, query = {}, headers = {}, payload = '' }) => {
    const url = new URL(bar.printer_url).pathname;
    const reply = await app.service.http.inject({ method, url, query, headers, ...(payload ? { payload } : {}) });
    return { status: reply.statusCode, type: String(reply.headers['content-type']), body: reply.rawPayload };
  };
  const barPrinter = createStarPrinter(wire, { runsOut: () => false });
  const textsOf = (name: string) =>
    (printers.find((one) => one.name === name)?.fake.printed ?? []).map((bytes) =>
      decodeEscpos(bytes)
        .rows.map(({ text }) => text)
        .join('\n'),
    );
  const tokens = await productTokens(client, storeId);
  const both = await shop.place({
    items: [
      { product_id: tokens.Soda, quantity: 4 },
      { product_id: tokens['Few Left'], quantity: 1 },
    ],
  });
  await app.advance({ seconds: 1 });
  assert.equal(await barPrinter.cycle(), true);
  const [grill = ''] = textsOf('grill');
  const [expo = ''] = textsOf('expo');
  const onBar = barPrinter.paper[0]?.text ?? '';
  await t.test('items, station and summary', () => {
    assert.match(grill, /GRILL[\s\S]*4 x Soda[\s\S]*4 of 5 items/);
    assert.doesNotMatch(grill, /Few Left/);
    assert.match(onBar, /BAR[\s\S]*Few Left[\s\S]*1 of 5 items/);
    assert.doesNotMatch(onBar, /Soda/);
    assert.match(expo, /EXPO[\s\S]*4 x Soda[\s\S]*1 x Few Left[\s\S]*\b5 items/);
  });
  await t.test('the receipt is printed once, where everything is', async () => {
    await step(shop, both, 'confirm', 'ready');
    assert.equal(await barPrinter.cycle(), false);
    assert.deepEqual([textsOf('grill').length, textsOf('expo').length], [1, 2]);
    assert.match(textsOf('expo')[1] ?? '', /Total/);
  });
  await t.test('a printer without an item of an order gets neither its ticket nor its cancelation', async () => {
    const pies = await shop.place();
    await app.advance({ seconds: 1 });
    assert.equal(await barPrinter.cycle(), false);
    await step(shop, pies, 'cancel');
    assert.equal(await barPrinter.cycle(), false);
    assert.deepEqual([textsOf('grill').length, textsOf('expo').length], [3, 4]);
    const states = (await listNotices(app.service.deps.db, pies)).map(({ channel, kind, state }) =>
      [channel, kind, state].join(' '),
    );
    assert.ok(states.includes('printer:bar offered withdrawn'), states.join('\n'));
  });
  await t.test('a kitchen ticket again is printed at every station that has items of it', async () => {
    const key = await givenStoreKey(app, storeId);
    assert.equal((await key.post(`/store/orders/${both}/print`, { document: 'kitchen' })).body.copy, 1);
    await app.advance({ seconds: 1 });
    assert.equal(await barPrinter.cycle(), true);
    assert.match(barPrinter.paper[1]?.text ?? '', /REPRINT 1/);
    assert.deepEqual([textsOf('grill').length, textsOf('expo').length], [4, 5]);
  });
  await t.test('STATION=off removes one printer, and remove all of them', async () => {
    const names = (body: { channels: { channel: string }[] }) => body.channels.map(({ channel }) => channel);
    assert.deepEqual(names(await set({ printer: 'bar=off', operator: true })), [
      'operator',
      'printer:expo',
      'printer:grill',
    ]);
    assert.deepEqual(names(await set({ remove: ['printer'] })), ['operator']);
  });
});
