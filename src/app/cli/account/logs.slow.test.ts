// covers: src/access/accounts/list-requests.route.ts, src/access/accounts/request-ring.ts
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fetchThrough } from '../../../../test/client/given-api.ts';
import { startCommand } from '../../../../test/given/command.ts';
import { type Client, givenApp } from '../../../../test/harness.ts';
import { until } from '../../../../test/until.ts';
import { chooseAccount } from './connect.ts';
import { type LogsOptions, runLogs } from './logs.ts';

let url = '';
const app = await givenApp();
url = await app.service.listen();
const account = await app.givenClient();
after(() => app.close());

const getRequests = async (client: Client, query: Record<string, string> = {}) => {
  const { status, body, text } = await client.get('/account/requests', query);
  assert.equal(status, 200, text);
  return body as { requests: { path: string; status: number; method: string }[]; next: string; is_complete: boolean };
};

test('an account sees only its own requests, once each, without query, header or body', async () => {
  const [mine, other] = [await app.givenClient(), await app.givenClient()];
  await mine.get('/payment/list', { user_id: 'secret-user' });
  await mine.post('/order/cancel', { order_id: 'secret-order' });
  await mine.get('/no/such/path');
  const first = await getRequests(mine);
  assert.deepEqual(
    first.requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
    ['GET /payment/list 200', 'POST /order/cancel 404', ...first.requests.slice(2).map(() => 'GET /no/such/path 404')],
  );
  assert.doesNotMatch(JSON.stringify(first), /secret|ds_test/);
  assert.deepEqual([(await getRequests(other)).requests, first.is_complete], [[], true]);
  await mine.get('/account/orders');
  const second = await getRequests(mine, { after: first.next });
  assert.deepEqual([second.requests.map(({ path }) => path), second.is_complete], [['/account/orders'], true]);
  assert.deepEqual((await getRequests(mine, { after: second.next })).requests, []);
  const foreign = await getRequests(mine, { after: 'elsewhere.3' });
  assert.deepEqual([foreign.requests.length, foreign.is_complete], [first.requests.length + 1, false]);
});

test('the last 200 requests are kept, and a late reader gets is_complete: false', async () => {
  const client = await app.givenClient();
  const { next } = await getRequests(client);
  for (let n = 0; n < 201; n += 1) await client.get('/account/tracking/webhook');
  const { requests, is_complete } = await getRequests(client, { after: next });
  assert.deepEqual([requests.length, is_complete], [200, false]);
});

async function givenTail(options: LogsOptions, more: { fetch?: typeof fetch } = {}) {
  const leaving = new AbortController();
  const [lines, printed]: [string[], string[]] = [[], []];
  const tailing = runLogs(chooseAccount({ url, key: account.key }, more), options, {
    signal: leaving.signal,
    pollMs: 1,
    retryDelayMs: 1,
    print: (sentence: string) => void printed.push(sentence),
    write: async (text) => void lines.push(...text.trimEnd().split('\n')),
  });
  await until('it follows', () => printed.length > 0);
  const stop = async () => {
    leaving.abort(new Error('Ctrl-C'));
    await tailing;
  };
  return { lines, printed, stop };
}

test('each request is a line as it is answered, filtered by status and path, also after the service was away', async () => {
  let isAway = false;
  const unreliable = fetchThrough(async (send) => {
    if (isAway) throw new TypeError('fetch failed');
    return send();
  });
  const all = await givenTail({ json: true }, { fetch: unreliable });
  const some = await givenTail({ status: /^4..$/, path: /^\/order\/.*$/ });
  await account.get('/account/orders');
  await until('the first line', () => all.lines.length === 1);
  isAway = true;
  await until('the service is away', () => all.printed.length === 2);
  await account.post('/order/cancel', { order_id: 'none' });
  isAway = false;
  await until('both', () => all.lines.length === 2 && some.lines.length === 1);
  await Promise.all([all.stop(), some.stop()]);
  assert.deepEqual(
    all.lines.map((line) => JSON.parse(line).path),
    ['/account/orders', '/order/cancel'],
  );
  assert.match(some.lines[0] ?? '', /^\S+Z {2}404 {2}POST {4}\/order\/cancel {2}\d+ ms {2}\S+$/);
  assert.match(all.printed.at(-1) ?? '', /answers again/);
});

test('as a process: recent requests first, Ctrl-C exits with status 0, and an invalid status gets an error message', async () => {
  const env = { DOORSTEP_KEY: account.key, DOORSTEP_URL: url, DATA_DIR: '/nowhere' };
  await account.get('/account/tracking/webhook');
  const tail = startCommand(['logs', 'tail', '--status', '2xx', '--path', '/account/*'], env);
  await tail.printed(/200 {2}GET {5}\/account\/tracking\/webhook/);
  tail.child.kill('SIGINT');
  const { status, stderr } = await tail.finished;
  assert.deepEqual([status, stderr], [0, `Streaming the account's requests at ${url}. Press Ctrl-C to stop.\n`]);
  const wrong = await startCommand(['logs', 'tail', '--status', 'bad'], env).finished;
  assert.deepEqual([wrong.status, /A status must be a number such as 404/.test(wrong.stderr)], [2, true]);
});
