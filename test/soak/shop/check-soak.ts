import assert from 'node:assert/strict';
import { assertDatabaseIsSound } from '../../faults/amcheck.ts';
import { ask } from '../../faults/embedded-postgres-harness.ts';
import {
  age,
  assertLogsAreWhole,
  assertMoneyIsRight,
  assertNumbersAreUnique,
  assertStockIsRight,
  assertWindowsAreRight,
  forgottenOrders,
  leftOrders,
} from '../../faults/orders-books.ts';
import { CAPACITY, retryUnanswered, STOCK } from '../../faults/orders-clients.ts';
import { startServiceProcess } from '../../faults/service-process.ts';
import { until } from '../../until.ts';
import { type createSummary, tell } from './figures.ts';
import type { Soak } from './given-soak.ts';

/** Maximum wait after a fault: leases, webhook retries, jobs of dead workers. */
const DRAIN_MS = 900_000;

type Where = { dataDir: string; connectionString: string };
type Summary = ReturnType<typeof createSummary>;

/** Resolves open charges and repeats unanswered requests. */
export async function settle(soak: Soak, where: Where, summary: Summary): Promise<void> {
  const { world } = soak;
  const { connectionString } = where;
  const left = await leftOrders(connectionString);
  await age(connectionString, 1);
  await restart(soak, where);
  const isResolved = async () => {
    const { charged, refunds } = await leftOrders(connectionString);
    return charged + refunds === 0;
  };
  await until('charges without an end are resolved', isResolved, DRAIN_MS);
  const retried = await retryUnanswered(world);
  await world.service?.stop();
  await age(connectionString, 11);
  await restart(soak, where);
  const isAllEnded = async () => {
    const { pending, refunds } = await leftOrders(connectionString);
    return pending + refunds === 0;
  };
  await until(
    'orders that were never charged are given up, and refunds of repeated requests are made',
    isAllEnded,
    DRAIN_MS,
  );
  summary.note(
    `left by the trouble ${JSON.stringify(left)}, requests without an outcome that were repeated ${retried}`,
  );
}

async function restart({ world, settings }: Soak, { dataDir }: Where): Promise<void> {
  world.service = undefined;
  world.service = await startServiceProcess(dataDir, { ...settings, SANDBOX_PACE: 'manual' });
}

/** Checks every promise about acknowledged work; adds a line per promise to the summary. */
export async function checkSoak(soak: Soak, { connectionString }: Where, summary: Summary): Promise<void> {
  const { world, liveOrders } = soak;
  await keep(summary, 'every heap and index passes amcheck', () => assertDatabaseIsSound(connectionString));
  await keep(
    summary,
    'every acknowledged order is there with its charge, and every canceled order is canceled',
    async () => {
      const rows = await ask(connectionString, 'select order_id, status, charge_user from doorstep.orders');
      const stored = new Map(rows.map((row) => [row.order_id, row]));
      const lost = [...world.acknowledged.map(({ orderId }) => orderId), ...liveOrders].filter((orderId) => {
        const row = stored.get(orderId);
        return !row || row.status === 'unplaced';
      });
      summary.note(`orders acknowledged ${world.acknowledged.length + liveOrders.length}, lost ${lost.length}`);
      assert.deepEqual(lost, []);
      for (const { orderId, charged, canceled } of world.acknowledged) {
        const row = stored.get(orderId);
        assert.equal(row?.charge_user, charged, orderId);
        if (canceled) assert.equal(row?.status, 'canceled', orderId);
      }
    },
  );
  await keep(summary, 'money: each order is charged once in the books of the gateway, or given back', () =>
    assertMoneyIsRight(connectionString),
  );
  await keep(summary, 'the log of each order is whole', () => assertLogsAreWhole(connectionString));
  await keep(summary, 'numbers of orders are unique', () => assertNumbersAreUnique(connectionString));
  await keep(summary, 'stock and slots fit the orders', async () => {
    await assertStockIsRight(connectionString, STOCK);
    await assertWindowsAreRight(connectionString, CAPACITY);
  });
  await keep(summary, 'no waiting order is forgotten', () =>
    until('all have a timer', async () => (await forgottenOrders(connectionString)) === 0, DRAIN_MS),
  );
  await keep(summary, 'each key names one order', async () => {
    const byKey = Map.groupBy(
      world.acknowledged.filter(({ key }) => key !== undefined),
      ({ key }) => key,
    );
    const doubled = [...byKey.values()].filter((found) => new Set(found.map(({ orderId }) => orderId)).size > 1);
    assert.deepEqual(doubled, []);
  });
  await keep(summary, 'each event has one webhook call with one id, and the call arrived', () =>
    checkCalls(soak, connectionString, summary),
  );
  await keep(summary, 'each mail of a live order was sent, and a mail that came twice has one Message-ID', () =>
    checkMails(soak, connectionString, summary),
  );
}

async function keep(summary: Summary, promise: string, check: () => Promise<void>): Promise<void> {
  tell(promise);
  const error: unknown = await check().then(
    () => undefined,
    (reason) => reason ?? new Error('failed'),
  );
  summary.promise(promise, error === undefined);
  if (error !== undefined) process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

async function checkCalls({ seen }: Soak, connectionString: string, summary: Summary): Promise<void> {
  const isDrained = async () => {
    const [row] = await ask(
      connectionString,
      `select (select count(*) from doorstep.order_events where not dispatched)::int as events,
        (select count(*) from doorstep.webhook_calls where state = 'pending')::int as calls`,
    );
    return row?.events === 0 && row.calls === 0;
  };
  await until('every call is made', isDrained, DRAIN_MS);
  const events = await ask(
    connectionString,
    `select e.order_id || ' ' || e.sequence as event, array_agg(c.webhook_id) as ids, max(c.state) as state
      from doorstep.order_events e left join doorstep.webhook_calls c using (order_id, sequence) group by 1`,
  );
  await until('the last calls are counted', () => [...seen.calls.keys()].length >= events.length, DRAIN_MS);
  const wrong = events.filter(({ event, ids, state }) => {
    const [id, ...more] = ids as string[];
    return more.length > 0 || state !== 'delivered' || seen.calls.get(id ?? '')?.event !== event;
  });
  assert.deepEqual(wrong, []);
  assert.equal(seen.calls.size, events.length, 'no call without its event');
  const repeated = [...seen.calls.values()].filter(({ times }) => times > 1).length;
  summary.note(`webhook calls ${events.length}, of them ${repeated} more than once under their one id`);
}

async function checkMails({ seen, liveOrders }: Soak, connectionString: string, summary: Summary): Promise<void> {
  const mails = () =>
    ask(
      connectionString,
      `select message_id as id, order_id, kind, state from doorstep.messages where mode = 'live' and channel = 'email'`,
    );
  await until('no mail waits', async () => (await mails()).every(({ state }) => state !== 'pending'), DRAIN_MS);
  const sent = await mails();
  await until('the last mails are counted', () => seen.mails.size >= sent.length, DRAIN_MS);
  assert.deepEqual(
    sent.filter(({ id, state }) => state !== 'sent' || !seen.mails.has(id as string)),
    [],
  );
  assert.equal(seen.mails.size, sent.length, 'no mail without its message');
  const confirmed = new Set(sent.filter(({ kind }) => kind === 'order_confirmation').map(({ order_id: id }) => id));
  assert.deepEqual(
    liveOrders.filter((orderId) => !confirmed.has(orderId)),
    [],
  );
  const repeated = [...seen.mails.values()].filter((times) => times > 1).length;
  summary.note(`mails ${sent.length}, of them ${repeated} sent again after a kill, under their one Message-ID`);
}
