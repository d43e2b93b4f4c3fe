import { type Client, DoorstepError, type OrderEvent } from '../../../clients/typescript/src/main.ts';
import type { AdvanceEvent, OrderEventType } from '../../orders/order.ts';
import { CommandFailure } from '../failure.ts';
import { type Account, explained } from './connect.ts';
import { type Door, placeSandboxOrder, RAISED_TIP_CENTS } from './place-sandbox-order.ts';
import { TEST_CALL, TRIGGER_PLANS, type Trigger, type TriggerPlan } from './trigger-plans.ts';

export type TriggerOptions = {
  store?: string | undefined;
  near: Door;
  waitMs: number;
  pollMs: number;
  signal: AbortSignal;
};
export type Triggered = { event: Trigger; order_id: string | null; events: string[] };

const REFUND_CENTS = 100;
const EVENT_OF: Readonly<Record<AdvanceEvent, OrderEventType>> = {
  confirm: 'order.confirmed',
  ready: 'order.ready',
  assign_driver: 'order.driver_assigned',
  pick_up: 'order.picked_up',
  approach: 'order.driver_nearby',
  complete: 'order.completed',
  cancel: 'order.canceled',
};

/**
 * Makes the sandbox produce an event: a new order goes through the life that has it. Resolves with the events of the order
 * once the event is among them. Rejects with CommandFailure.
 */
export async function runTrigger(account: Account, event: Trigger, options: TriggerOptions): Promise<Triggered> {
  const { client, mode, url } = account;
  if (mode === 'live') {
    throw new CommandFailure(
      'This is a live key, whose orders are real: trigger makes sandbox orders, with a sandbox key (ds_test_…) alone.',
      { exitStatus: 2 },
    );
  }
  try {
    if (event === TEST_CALL) {
      await client.webhooks.test({ signal: options.signal });
      return { event, order_id: null, events: [TEST_CALL] };
    }
    const plan = TRIGGER_PLANS[event];
    const { store, near } = options;
    const orderId = await placeSandboxOrder(client, { pickup: plan.pickup, near, store, scenario: plan.scenario });
    for (const step of plan.steps) await takeStep(client, orderId, step);
    await actLast(client, orderId, plan);
    const events = await eventsUntil(client, orderId, event, options);
    return { event, order_id: orderId, events: events.map(({ type }) => type) };
  } catch (error) {
    throw explained(error, url);
  }
}

/** The simulated store and courier may have taken the step already, where the sandbox is quick. */
async function takeStep(client: Client, orderId: string, step: AdvanceEvent): Promise<void> {
  try {
    await client.sandbox.advance(orderId, { event: step });
  } catch (error) {
    if (!(error instanceof DoorstepError) || error.code !== 'transition_not_allowed') throw error;
    for await (const { type } of client.orders.events(orderId)) if (type === EVENT_OF[step]) return;
    // Ready comes no more once the driver has the order: the steps after it are what the order is about.
    if (step !== 'ready') throw error;
  }
}

async function actLast(client: Client, orderId: string, { last }: TriggerPlan): Promise<void> {
  if (last === 'cancel') await client.orders.cancel(orderId);
  if (last === 'refund') await client.orders.refund(orderId, { amount: REFUND_CENTS, reason: 'doorstep trigger' });
  if (last === 'tip') await client.orders.tip(orderId, { driver_tip_cents: RAISED_TIP_CENTS });
}

async function eventsUntil(
  client: Client,
  orderId: string,
  wanted: OrderEventType,
  { signal, waitMs, pollMs }: TriggerOptions,
): Promise<OrderEvent[]> {
  const events: OrderEvent[] = [];
  const tooLate = AbortSignal.timeout(waitMs);
  try {
    for await (const event of client.orders.follow(orderId, { pollMs, signal: AbortSignal.any([signal, tooLate]) })) {
      events.push(event);
      if (event.type === wanted) return events;
    }
  } catch (error) {
    if (!tooLate.aborted || signal.aborted) throw error;
  }
  const why = 'Where SANDBOX_PACE is manual, the simulated store does nothing by itself.';
  throw new CommandFailure(`The order ${orderId} had no ${wanted} within ${waitMs / 1000} seconds. ${why}`);
}
