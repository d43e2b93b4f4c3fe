import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyWebhook } from '../../../../clients/typescript/src/main.ts';
import { fetchThrough } from '../../../../test/client/given-api.ts';
import { pizzeria } from '../../../../test/feed-lines.ts';
import { startCommand } from '../../../../test/given/command.ts';
import { givenCommandHost } from '../../../../test/given/command-host.ts';
import { orderBody, productTokens } from '../../../../test/given/orders.ts';
import { givenReceiver } from '../../../../test/given/receiver.ts';
import { givenStores } from '../../../../test/given/stores.ts';
import { givenApp } from '../../../../test/harness.ts';
import { until } from '../../../../test/until.ts';
import { dispatchAllEvents } from '../../../ordering/order/dispatch-events.flow.ts';
import { systemClock } from '../../../platform/lib/clock.ts';
import { chooseAccount } from './connect.ts';

import { type ListenCommandOptions, runListen, signingSecretOf } from './listen.ts';

const host = givenCommandHost();
let url = '';
let soda = '';
const app = await givenApp();
url = await app.service.listen();
const [storeId = ''] = await givenStores(app, [pizzeria()]);
const account = await app.givenClient();
soda = (await productTokens(account, storeId)).Soda ?? '';
after(() => Promise.all([app.close(), host.close()]));

/** Places an order and takes steps, dispatching each event at once. */
async function live(...events: string[]): Promise<string> {
  const items = [{ product_id: soda, quantity: 5 }];
  const reply = await account.post('/order/order/v2', orderBody(soda, null, { charge_user: false, items }));
  assert.equal(reply.status, 200, reply.text);
  const orderId: string = reply.body.order_id;
  for (const event of events) {
    const { status, text } = await account.post(`/sandbox/orders/${orderId}/advance`, { event });
    assert.equal(status, 200, text);
  }
  await dispatchAllEvents(app.service.deps);
  return orderId;
}

/** Runs the command in this process, without waits. */
async function givenListener(options: ListenCommandOptions, more: { fetch?: typeof fetch } = {}) {
  const leaving = new AbortController();
  const [lines, printed]: [string[], string[]] = [[], []];
  const listening = runListen(chooseAccount({ url, key: account.key }, { ...more }), options, {
    clock: systemClock,
    signal: leaving.signal,
    pollMs: 1,
    retryDelayMs: 1,
    write: async (text) => void lines.push(text.trimEnd()),
    print: (sentence) => void printed.push(sentence),
  });
  await until('it listens', () => lines.length > 0);
  const has = (count: number) => until(`${count} lines`, () => lines.length > count);
  const stop = async () => {
    leaving.abort(new Error('Ctrl-C'));
    await listening;
  };
  return { lines, printed, has, stop };
}

test('each event is a line, in its order’s event order, and --events leaves out the others', async () => {
  const all = await givenListener({});
  const some = await givenListener({ events: ['order.canceled'] });
  const orderId = await live('confirm', 'cancel');
  await all.has(3);
  await some.has(1);
  assert.match(
    all.lines[0] ?? '',
    /^Listening for sandbox events at http.*Press Ctrl-C to stop\.\nThe signing secret is whsec_/,
  );
  const shown = all.lines.slice(1).map((line) => /^\S+Z {2}(\S+) +(\S+) {2}\w\d+$/.exec(line)?.slice(1));
  assert.deepEqual(shown, [
    ['order.placed', orderId],
    ['order.confirmed', orderId],
    ['order.canceled', orderId],
  ]);
  await Promise.all([all.stop(), some.stop()]);
  assert.match(some.lines[1] ?? '', /order\.canceled/);
  assert.equal(some.lines.length, 2);
});

test('each event is posted once, as the service calls a webhook, and the answer is shown', async () => {
  const receiver = await givenReceiver();
  const listener = await givenListener({ forwardTo: `${receiver.url}/hook?a=1`, json: true });
  const start = JSON.parse(listener.lines[0] ?? '');
  assert.deepEqual(start, {
    url,
    mode: 'sandbox',
    signing_secret: signingSecretOf(account.key),
    forward_to: `${receiver.url}/hook?a=1`,
  });
  const orderId = await live('confirm');
  await listener.has(2);
  receiver.answer = (_call, response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
  await live();
  await listener.has(3);
  await receiver.close();
  await live();
  await listener.has(4);
  await listener.stop();
  assert.deepEqual(
    receiver.calls.map(({ path }) => path),
    ['/hook?a=1', '/hook?a=1', '/hook?a=1'],
  );
  const events = listener.lines.slice(1).map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map(({ forwarded }) => forwarded.status ?? forwarded.failure),
    [204, 204, 307, 'no response (ECONNREFUSED)'],
  );
  const [first] = receiver.calls;
  assert.ok(first);
  const { event, id } = await verifyWebhook({ body: first.body, headers: first.headers, secret: start.signing_secret });
  assert.deepEqual([event.type, first.headers['content-type']], ['order.placed', 'application/json']);
  assert.deepEqual(event, events[0].event);
  assert.match(id, /^msg_/);
  assert.equal(new Set(receiver.calls.map((call) => call.id)).size, 3);
  assert.equal(events[0].event.data.order.order_id, orderId);
});

test('a service that is away is waited for, which is said once, and no event is lost or doubled', async () => {
  let isAway = false;
  let refused = 0;
  const listener = await givenListener(
    {},
    {
      fetch: fetchThrough(async (send) => {
        if (!isAway) return send();
        refused += 1;
        throw new TypeError('fetch failed');
      }),
    },
  );
  const before = await live();
  await listener.has(1);
  isAway = true;
  await until('it has asked in vain', () => refused > 1);
  const meanwhile = await live();
  isAway = false;
  await listener.has(2);
  await listener.stop();
  assert.deepEqual(
    listener.lines.slice(1).map((line) => /order\.placed +(\S+)/.exec(line)?.[1]),
    [before, meanwhile],
  );
  assert.deepEqual(listener.printed, [
    `${url} isn't responding. Start the service there, or pass its URL with --url. Trying again.`,
    `${url} answers again.`,
  ]);
});

test('as a process: Ctrl-C and a closed pipe exit with status 0; a wrong key or address gets an error message', async (t) => {
  const env = { DOORSTEP_KEY: account.key, DOORSTEP_URL: url, DATA_DIR: '/nowhere' };
  const listening = startCommand(['listen'], env);
  const left = startCommand(['listen', '--json'], env);
  await Promise.all([listening.printed(/Listening/), left.printed(/signing_secret/)]);
  left.child.stdout.destroy();
  const orderId = await live();
  await listening.printed(new RegExp(`order\\.placed +${orderId}`));
  listening.child.kill('SIGINT');
  const ended = await Promise.all([listening.finished, left.finished]);
  assert.deepEqual(
    ended.map(({ status, stderr }) => [status, stderr]),
    [
      [0, ''],
      [0, ''],
    ],
  );
  const folder = await mkdtemp(join(tmpdir(), 'doorstep-'));
  t.after(() => rm(folder, { recursive: true }));
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, 'ds_test_none\n');
  const wrong = [
    [['--key', account.key], 2, /unknown option '--key'/],
    [['--secret', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAA'], 2, /unknown option '--secret'/],
    [['--key-file', join(folder, 'none')], 2, /The file can't be read \(ENOENT\)/],
    [['--secret-file', keyFile], 2, /must be whsec_ and base64/],
    [['--key-file', keyFile], 1, `${url} rejected the request: This API key is invalid.\n`],
    [
      ['--url', 'http://127.0.0.1:9'],
      1,
      "http://127.0.0.1:9 isn't responding. Start the service there, or pass its URL with --url.\n",
    ],
    [['--events', 'order.lost'], 2, /must be a list of order\.placed, /],
    [['--forward-to', 'localhost'], 2, /must be an http or https URL/],
  ] as const;
  for (const [args, status, sentence] of wrong) {
    const { stderr, ...finished } = await host.runCommand(['listen', ...args], env);
    assert.equal(finished.status, status, stderr);
    if (typeof sentence === 'string') assert.equal(stderr, sentence);
    else assert.match(stderr, sentence);
  }
  const keyless = await host.runCommand(['listen'], { DOORSTEP_URL: url, DATA_DIR: '/nowhere' });
  assert.deepEqual([keyless.status, keyless.stderr.startsWith('No API key found. Set DOORSTEP_KEY')], [2, true]);
});
