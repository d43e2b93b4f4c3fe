import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import pg from 'pg';
import { heldGateway } from '../../../test/fakes/broken-gateway.ts';
import { orderBody } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { clientOf, givenOwnApp, type Reply } from '../../../test/harness.ts';
import { holdTimeOuts } from '../../../test/time-outs.ts';
import { nextTurn, until } from '../../../test/until.ts';
import { MAX_REPEATS_PER_REQUEST } from './in-flight-requests.ts';

/** Statements about idempotency keys sent by any connection of this process. */
let statements = 0;
const { query } = pg.Client.prototype;
mock.method(pg.Client.prototype, 'query', function count(this: pg.Client, ...given: unknown[]) {
  const [first] = given as [string | { text?: string }];
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  if (/idempotency_keys/.test(text)) statements += 1;
  return (query as (...all: unknown[]) => unknown).apply(this, given);
});

const WAITERS = 200;
const codes = (replies: readonly Reply[]) => replies.map(({ status, body }) => body.code ?? status);

const shop = await givenPizzeria(givenOwnApp);
after(() => shop.close());

const order = () => orderBody(shop.tokens.Soda, shop.card, { items: [{ product_id: shop.tokens.Soda, quantity: 9 }] });

test('hundreds that repeat a running request ask the database nothing, and its end answers all that wait', async (t) => {
  holdTimeOuts(t);
  const gateway = heldGateway(shop);
  const headers = { 'idempotency-key': 'hundreds' };
  const first = shop.post('/order/order/v2', order(), headers);
  await gateway.reached;
  const before = statements;
  const repeated = Array.from({ length: WAITERS }, () => shop.post('/order/order/v2', order(), headers));
  const refusals: Reply[] = [];
  for (const reply of repeated) reply.then((answer) => answer.status === 409 && refusals.push(answer));
  await until('all are refused but those that may wait', () => refusals.length === WAITERS - MAX_REPEATS_PER_REQUEST);
  const refused = refusals[0] as Reply;
  assert.equal(refused.body.code, 'idempotency_in_progress', refused.text);
  assert.match(String(refused.headers['retry-after']), /^\d+$/);
  assert.equal(statements, before, 'nothing is polled');
  gateway.letGo();
  gateway.fix();
  const [answer, replies] = [await first, await Promise.all(repeated)];
  assert.equal(answer.status, 200, answer.text);
  const replayed = replies.filter(({ headers: { 'idempotent-replayed': isReplayed } }) => isReplayed === 'true');
  assert.equal(replayed.length, MAX_REPEATS_PER_REQUEST);
  assert.deepEqual([...new Set(replayed.map(({ text }) => text))], [answer.text]);
  assert.equal(codes(replies).filter((code) => code === 'idempotency_in_progress').length, WAITERS - replayed.length);
  assert.equal(statements - before, 1, 'the answer is recorded');
});

test('on another node one of them polls for all, ever more slowly, and the answer reaches all', async (t) => {
  holdTimeOuts(t);
  const node = await shop.givenNode('api');
  const other = clientOf(node, shop.accountId, shop.key);
  const gateway = heldGateway(shop);
  const headers = { 'idempotency-key': 'another node' };
  const first = shop.post('/order/order/v2', order(), headers);
  await gateway.reached;
  const [before, startMs] = [statements, performance.now()];
  const repeated = Array.from({ length: MAX_REPEATS_PER_REQUEST }, () =>
    other.post('/order/order/v2', order(), headers),
  );
  await until('the record is read four times', () => statements - before >= 5);
  const read = statements - before;
  // A claim and an immediate read, then reads after 40, 80, 160, … milliseconds.
  const maxPolls = Math.log2((performance.now() - startMs) / 40 + 1);
  assert.ok(read <= 2 + maxPolls, `${read} statements`);
  gateway.letGo();
  gateway.fix();
  const answer = await first;
  const replies = await Promise.all(repeated);
  assert.deepEqual([...new Set(replies.map(({ text }) => text))], [answer.text]);
  assert.ok(replies.every(({ headers: { 'idempotent-replayed': isReplayed } }) => isReplayed === 'true'));
});

test('each request waiting ten seconds returns 409, on the request’s node and on others', async (t) => {
  const node = await shop.givenNode('api');
  const other = clientOf(node, shop.accountId, shop.key);
  const gateway = heldGateway(shop);
  const timeOuts = holdTimeOuts(t);
  const headers = { 'idempotency-key': 'ten seconds' };
  const first = shop.post('/order/order/v2', order(), headers);
  await gateway.reached;
  const waiting = [shop, shop, other, other].map((client) => client.post('/order/order/v2', order(), headers));
  for (let n = 0; n < 20; n += 1) await nextTurn();
  await timeOuts.passUntilEnd(Promise.all(waiting));
  assert.deepEqual(codes(await Promise.all(waiting)), Array(4).fill('idempotency_in_progress'));
  gateway.letGo();
  gateway.fix();
  assert.equal((await first).status, 200);
});
