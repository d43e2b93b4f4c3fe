import { setTimeout as delay } from 'node:timers/promises';
import { createSandboxGateway } from '../../src/app/adapters/payments/sandbox.ts';
import { chargeOrder } from '../../src/ordering/money/charge-order.flow.ts';
import { holdWithCustomer } from '../../src/ordering/money/hold-again.flow.ts';
import { keepHolds, replaceLostHold } from '../../src/ordering/money/keep-hold.job.ts';
import {
  refundLateCharges,
  resolveOneCharge,
  resolveUnsettledCharges,
} from '../../src/ordering/money/resolve-charges.job.ts';
import { trySettling } from '../../src/ordering/money/settle-order.flow.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import { dispatchEvents, moneyEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import type { ItemAdjustment, Order } from '../../src/ordering/order/order.ts';
import type { OrderDeps } from '../../src/ordering/order/order-deps.ts';
import { createOrderStatements } from '../../src/ordering/order/order-statements.db.ts';
import { findAnyOrder, lockOrder, saveProgress } from '../../src/ordering/order/orders.db.ts';
import type { SandboxGateway } from '../../src/ordering/payments/payment-gateway.ts';
import { findCardIdentity } from '../../src/ordering/payments/payment-methods.db.ts';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { JobQueue } from '../../src/platform/jobs/job-queue.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { createTokenSealer } from '../../src/platform/lib/tokens.ts';

/**
 * A process that places, weighs, renews, captures and cancels orders with goods by weight until it is killed:
 * `holds-child.ts CONNECTION SCHEMA SECONDS SEED ORDERS`. Its clock is SECONDS ahead, so that the leases of the process
 * that was killed before have run out.
 */
const [connectionString = '', schema = '', seconds = '0', seed = '1', orders = '1'] = process.argv.slice(2);
let state = Number(seed);
const chance = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const clock = { now: () => Temporal.Now.instant().add({ seconds: Number(seconds) }) };
const db = openDb(openPool({ connectionString, schema }));
const sandbox = createSandboxGateway({ db, clock, pagesUrl: 'http://localhost' });

/** The gateway takes its time before and after it works, so that the process dies there, too. */
const slow = Object.fromEntries(
  Object.entries(sandbox).map(([name, run]) => [
    name,
    async (...given: never[]) => {
      await delay(chance() * 12);
      const answer = await (run as (...all: never[]) => Promise<unknown>)(...given);
      await delay(chance() * 12);
      return answer;
    },
  ]),
) as unknown as SandboxGateway;

const deps = {
  db,
  clock,
  log: createLog('fatal'),
  tokens: createTokenSealer({ current: 'any', previous: [] }),
  config: { orderConfirmTimeoutMinutes: 100_000, trackingUrl: 'http://localhost' } as OrderDeps['config'],
  jobs: createJobs(clock),
  inventory: { evict: () => {} } as unknown as OrderDeps['inventory'],
  orderStatements: createOrderStatements(db),
  trackingSites: { siteOf: () => ({ siteUrl: 'http://localhost' }) },
  gateways: { sandbox: slow, live: undefined, notices: undefined },
};
const workers = [keepHolds(deps), resolveOneCharge(deps), refundLateCharges(deps)] as never[];
const { queue } = new JobQueue({ ...deps, workers });
const rest = resolveUnsettledCharges(deps);

async function place(order: Order): Promise<void> {
  const card = await findCardIdentity(db, order, order.request.paymentMethodId ?? '');
  if (card) await chargeOrder(deps, slow, { order, payer: { card }, isNew: false });
}

async function weigh({ orderId }: Order): Promise<void> {
  const scaled = { milli: 1000 + Math.floor(chance() * 650), from: 'scale' } as const;
  const adjustments: ItemAdjustment[] = [{ index: 0, quantity: 1, substitute: null, scaled }];
  await db.transaction().execute(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (locked?.chargeState === 'authorized') await saveProgress(tx, { ...locked, adjustments });
  });
}

const step = async (order: Order, event: 'confirm' | 'cancel' | 'complete') =>
  trySettling(deps, await takeStep(deps, order.orderId, { event }));

/** What one of the people who have to do with an order does next. */
async function act(order: Order): Promise<unknown> {
  if (order.chargeState === 'pending') return place(order);
  if (order.status === 'awaiting_confirmation') return step(order, chance() < 0.1 ? 'cancel' : 'confirm');
  if (order.status !== 'in_progress') return;
  const drawn = chance();
  if (drawn < 0.3) return weigh(order);
  if (drawn < 0.5) return replaceLostHold(deps, order);
  if (drawn < 0.6) return holdWithCustomer(deps, order, { keyId: 'key_any' });
  return step(order, drawn < 0.7 ? 'cancel' : 'complete');
}

async function work(): Promise<void> {
  while ((await dispatchEvents({ db, eventHandlers: [moneyEvents(deps)] })) + (await queue.runOnce()) > 0);
}

await rest.run({}, AbortSignal.timeout(60_000));
for (;;) {
  // The newest of them are the most likely to be open.
  const orderId = `copy-${Math.max(1, Number(orders) - Math.floor(chance() ** 3 * Number(orders)))}`;
  const order = await findAnyOrder(db, orderId);
  // People and jobs meet at the same orders.
  await Promise.all([order && act(order).catch(() => undefined), work()]);
}
