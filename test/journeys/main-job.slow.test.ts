import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import {
  CHECKOUT,
  cleanUp,
  freshDataDir,
  freshDirectory,
  isLinux,
  servers,
} from '../faults/embedded-postgres-harness.ts';
import { type Caller, callerOf, environmentOf } from '../faults/service-process.ts';
import { freePort } from '../given/command.ts';
import { DELIVERY_STEPS, PICKUP_STEPS } from '../given/tracked.ts';
import { until } from '../until.ts';
import { type Door, offersFor, placeFirstQuoted } from './shopper.ts';

const started: ChildProcess[] = [];
after(() => {
  endGroups();
  cleanUp();
});

const USER = { user_id: 'ada', user_name: 'Ada Reader', user_email: 'ada@example.com', user_phone: 13125550123 };

type Demo = { said: string; key: string; curl: string; readyMs: number; interrupt(): Promise<number> };

function givenClone(): string {
  const folder = freshDirectory();
  for (const name of ['bin', 'node_modules', 'package.json']) symlinkSync(join(CHECKOUT, name), join(folder, name));
  return folder;
}

/** `npm start`, as in the README, and its output. */
async function npmStart(settings: Record<string, string>): Promise<Demo> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: givenClone(),
    env: environmentOf({ SANDBOX_PACE: '0.2', ...settings }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let said = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-5000);
  });
  const exit = once(child, 'exit');
  const isReady = () => {
    assert.equal(child.exitCode ?? child.signalCode, null, complaints);
    return /^\s*curl .*$/m.test(said) && said.includes('Ctrl-C');
  };
  await until(() => `the demo is ready: ${complaints}`, isReady);
  return {
    said,
    key: /ds_test_[\w-]+/.exec(said)?.[0] ?? assert.fail(said),
    curl: /^\s*(curl .*)$/m.exec(said)?.[1] ?? assert.fail(said),
    readyMs: Math.round(performance.now() - startedAt),
    // Ctrl-C in a terminal signals npm, the command and the service at once.
    async interrupt() {
      process.kill(-(child.pid ?? assert.fail()), 'SIGINT');
      await exit;
      return child.exitCode ?? -1;
    },
  };
}

/** Ends npm, the command and the service before their database, or they would restart it. */
function endGroups(): void {
  for (const { pid } of started) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error; // it has ended as it should
    }
  }
}

type Followed = { status: string; is_ready: boolean; tracking: Record<string, unknown>; total_with_tip: number };

/** Polls an order until it reaches the status; returns it and every status seen. */
async function follow({ get }: Caller, orderId: string) {
  const seen = new Set<string>();
  let order: Followed | undefined;
  await until(`order ${orderId} is completed`, async () => {
    const { body } = await get('/account/orders', { order_id: orderId });
    order = body.orders[0] as Followed;
    seen.add(order.status);
    return order.status === 'completed';
  });
  return { seen, order: order ?? assert.fail() };
}

/** Advances an order whose slot is days ahead; the simulated store may confirm meanwhile. */
async function playByHand({ post }: Caller, orderId: string, mode: 'delivery' | 'pickup'): Promise<void> {
  const steps = mode === 'delivery' ? DELIVERY_STEPS : PICKUP_STEPS;
  for (const event of steps) {
    const { status, body } = await post(`/sandbox/orders/${orderId}/advance`, { event });
    assert.ok(status === 200 || (event === 'confirm' && status === 409), JSON.stringify(body));
  }
}

test('from a fresh clone to a delivered order: npm start, the printed curl line, then the whole main job', {
  skip: !isLinux,
}, async (t) => {
  const dataDir = freshDataDir();
  const settings = { DATA_DIR: dataDir, PORT: await freePort() };
  const demo = await npmStart(settings);
  const baseUrl = `http://127.0.0.1:${settings.PORT}`;
  const call = callerOf(() => baseUrl, demo.key);
  let door: Door = { user_latitude: '', user_longitude: '' };
  const placed: string[] = [];

  await t.test('the printed curl line answers with open stores', async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', demo.curl]);
    const found: { is_open: boolean }[] = JSON.parse(stdout).stores;
    assert.ok(found.length > 0 && found.every((store) => store.is_open));
    const { searchParams } = new URL(/'(http[^']+)'/.exec(demo.curl)?.[1] ?? assert.fail(demo.curl));
    door = {
      user_latitude: searchParams.get('latitude') ?? assert.fail(),
      user_longitude: searchParams.get('longitude') ?? assert.fail(),
    };
  });

  await t.test(
    'search, inventory with quote and product details offer something now, for delivery and for pickup',
    async () => {
      for (const pickup of [false, true]) {
        const { value: offer } = await offersFor(call, { door, pickup, isScheduled: false }).next();
        assert.ok(offer, 'no store takes orders now and later');
      }
    },
  );

  const payment = await call.post('/payment/create', {
    payment_method: { card_number: 4242424242424242, expiration_year: 2099, expiration_month: 12, cvc: 123 },
    user_email: USER.user_email,
    user_id: USER.user_id,
  });
  assert.equal(payment.body.status, 'success');
  const customer = {
    ...USER,
    user_latitude: Number(door.user_latitude),
    user_longitude: Number(door.user_longitude),
    user_street_num: '1',
    user_street_name: 'Main St',
    user_city: 'Chicago',
    user_state: 'IL',
    user_country: 'US',
    user_zipcode: '60607',
    payment_method_id: payment.body.payment_method_id,
  };

  const orderAndFollow = async (mode: 'delivery' | 'pickup', isScheduled: boolean) => {
    const wish = { door, pickup: mode === 'pickup', isScheduled };
    const {
      order_id: orderId,
      tracking_link: link,
      final_quote: quote,
    } = await placeFirstQuoted(call, { ...customer, driver_tip_cents: 300 }, wish);
    placed.push(orderId);
    assert.ok(link.startsWith(`${baseUrl}/tracking?tracking_id=${orderId}&key=`), link);
    if (isScheduled) await playByHand(call, orderId, mode);
    const { seen, order: done } = await follow(call, orderId);
    assert.ok([...seen].every((status) => /^(awaiting_confirmation|in_progress|completed)$/.test(status)));
    assert.equal(done.is_ready, true);
    assert.equal('driver_name' in done.tracking, mode === 'delivery');
    assert.equal(done.total_with_tip, quote.total_with_tip);
    const { charges } = (await call.get('/sandbox/charges', { order_id: orderId })).body;
    assert.deepEqual(
      charges.map((charge: { amount: number; status: string }) => [charge.amount, charge.status]),
      [[quote.total_with_tip, 'succeeded']],
    );
  };
  await t.test('placed, followed until completed, and charged exactly the total', { concurrency: 4 }, async (t) => {
    await Promise.all([
      t.test('a delivery as soon as possible', () => orderAndFollow('delivery', false)),
      t.test('a delivery in a slot', () => orderAndFollow('delivery', true)),
      t.test('a pickup as soon as possible', () => orderAndFollow('pickup', false)),
      t.test('a pickup in a slot', () => orderAndFollow('pickup', true)),
    ]);
  });

  await t.test('Ctrl-C ends all of it, and the second start has the same key and the same orders', async () => {
    await demo.interrupt();
    await until('PostgreSQL is gone', () => servers(dataDir).length === 0);
    const again = await npmStart(settings);
    assert.equal(again.key, demo.key);
    const { body } = await call.get('/account/orders', {});
    const known = new Set(body.orders.map((order: { order_id: string }) => order.order_id));
    assert.deepEqual(
      placed.filter((orderId) => !known.has(orderId)),
      [],
    );
    t.diagnostic(`first start ${demo.readyMs} ms, second start ${again.readyMs} ms`);
    await again.interrupt();
    await until('PostgreSQL is gone', () => servers(dataDir).length === 0);
  });
});
