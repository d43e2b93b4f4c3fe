import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenAgent } from '../../../test/given/agent.ts';
import { givenPlacesFile, osmFeature } from '../../../test/given/place.ts';
import { givenOwnApp } from '../../../test/harness.ts';

const LIMIT = 20;
const places = givenPlacesFile([osmFeature(0, { name: 'Mossy Fork Express', amenity: 'restaurant' })]);
const SECRET = 'Zephyrine Quillfeather';

const lines: string[] = [];
const env = { PLACES_FILE: places.file, RATE_LIMIT_PER_MINUTE: String(LIMIT), LOG_LEVEL: 'info' };
const app = await givenOwnApp({ env, onLogLine: (line) => lines.push(line) });
after(async () => {
  await app.close();
  places.remove();
});

const call = (name: string, given: object, key: string) =>
  app.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    { 'id-token': key },
  );

test('a place of the directory is found by its name', async () => {
  const agent = await givenAgent(await app.service.listen(), app.key);
  const found = await agent.ask('search_places', { search: 'mossy fork' });
  assert.deepEqual(
    found.places.map(({ name, store_id }: { name: string; store_id?: string }) => [name, store_id]),
    [['Mossy Fork Express', undefined]],
  );
  await agent.close();
});

test('each message is a request of its key: beyond the limit it is refused as everywhere, and other keys go on', async () => {
  const busy = await app.givenClient();
  const statuses: number[] = [];
  for (let nth = 0; nth <= LIMIT; nth += 1)
    statuses.push((await call('get_order', { order_id: 'ord_x' }, busy.key)).status);
  assert.deepEqual(statuses, [...Array.from({ length: LIMIT }, () => 200), 429]);
  const refused = await call('get_order', { order_id: 'ord_x' }, busy.key);
  assert.deepEqual([refused.body.code, refused.headers['retry-after'] !== undefined], ['rate_limited', true]);
  const calm = await app.givenClient();
  assert.equal((await call('get_order', { order_id: 'ord_x' }, calm.key)).status, 200);
});

test('a message over 64 KiB is rejected before any of it is parsed', async () => {
  const client = await app.givenClient();
  const refused = await call('search_places', { search: 'x'.repeat(64 * 1024) }, client.key);
  assert.deepEqual([refused.status, refused.body.code], [413, 'body_too_large']);
  assert.match(refused.body.detail, /64 KiB/);
  assert.equal((await call('search_places', { search: 'x'.repeat(60 * 1024) }, client.key)).status, 200);
});

test('the log names the tool, the account, the order and the code of each call, and nothing else of its arguments', async () => {
  lines.length = 0;
  const client = await app.givenClient();
  const given = { items: [{ product_id: 'x' }], pickup: true, user_name: SECRET, order_id: 'ord_named' };
  await call('quote_order', given, client.key);
  await call('search_places', { search: SECRET }, client.key);
  const logged = lines.map((line) => JSON.parse(line)).filter(({ tool }) => tool !== undefined);
  assert.deepEqual(
    logged.map(({ tool, msg, code, accountId, orderId }) => [tool, msg, code, accountId, orderId]),
    [
      ['quote_order', 'tool refused', 'order_not_found', client.accountId, 'ord_named'],
      ['search_places', 'tool answered', undefined, client.accountId, undefined],
    ],
  );
  assert.ok(!lines.join('\n').includes(SECRET));
});
