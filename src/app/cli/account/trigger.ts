import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { type Client, DoorstepError, type OrderEvent } from '../../../../clients/typescript/src/main.ts';
import { DEMO_START } from '../../../../demo/catalog.ts';
import type { AdvanceEvent } from '../../../ordering/orders/order.ts';
import {
  ORDER_EVENT_TYPES,
  ORDER_EVENTS,
  type OrderEventType,
  type SandboxWay,
} from '../../../ordering/orders/order-events.ts';
import { CommandFailure } from '../failure.ts';
import { listenForInterruption } from '../interruption.ts';
import { answer, type OutputOptions } from '../output.ts';
import {
  type Account,
  type AccountOptions,
  chooseAccount,
  explainRequestError,
  withAccountOptions,
} from './connect.ts';
import { placeSandboxOrder, RAISED_TIP_CENTS, type SandboxDoor } from './place-sandbox-order.ts';

const TEST_CALL = 'webhook.test';
export const TRIGGERS = [...ORDER_EVENT_TYPES, TEST_CALL] as const;
type Trigger = (typeof TRIGGERS)[number];

const POLL_MS = 500;
/** Maximum wait for an event. By default, the simulated store takes a step after 15 seconds. */
const WAIT_MS = 60_000;

type Options = OutputOptions & AccountOptions & { store?: string; near: SandboxDoor; list?: true };

/** `doorstep trigger`: causes an event by placing a sandbox order and advancing it. */
export function triggerCommand(): Command {
  const command = new Command('trigger');
  command
    .description('Trigger an event: place a new sandbox order and move it as far as the event needs.')
    .addArgument(new Argument('[event]', 'the event; --list shows them all').choices(TRIGGERS))
    .option('--list', 'list the events')
    .option('--store <store_id>', 'order at this store (default: an open restaurant near the coordinate)')
    .addOption(
      new Option('--near <lat,lon>', 'the delivery coordinate')
        .argParser(parseDoor)
        .default(demoDoor(), "near the demo's diner"),
    )
    .option('--json', 'print one JSON document: { event, order_id, events }, or with --list { events }');
  return withAccountOptions(command).action(async (event: Trigger | undefined, options: Options) => {
    if (options.list) return answer(options, { events: TRIGGERS }, TRIGGERS.join('\n'));
    if (event === undefined) return command.error('error: pass an event; `doorstep trigger --list` shows them');
    const { signal } = listenForInterruption();
    const triggered = await runTrigger(chooseAccount(options), event, {
      store: options.store,
      near: options.near,
      signal,
      waitMs: WAIT_MS,
      pollMs: POLL_MS,
    });
    const { order_id: orderId, events } = triggered;
    answer(options, triggered, orderId === null ? `${event} was sent.` : `${orderId}  ${events.join(' → ')}`);
  });
}

function demoDoor(): SandboxDoor {
  return { latitude: DEMO_START.latitude, longitude: DEMO_START.longitude };
}

function parseDoor(text: string): SandboxDoor {
  const [latitude, longitude, more] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const isDoor = Math.abs(latitude ?? 91) <= 90 && Math.abs(longitude ?? 181) <= 180 && more === undefined;
  if (isDoor && latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  throw new InvalidArgumentError('The value must be a latitude and a longitude, such as 41.8827,-87.6493.');
}

export type TriggerOptions = {
  store?: string | undefined;
  near: SandboxDoor;
  waitMs: number;
  pollMs: number;
  signal: AbortSignal;
};
type TriggerResult = { event: Trigger; order_id: string | null; events: string[] };

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
 * Places a sandbox order, advances it to the event, and resolves with its events so far. Rejects with CommandFailure.
 */
export async function runTrigger(account: Account, event: Trigger, options: TriggerOptions): Promise<TriggerResult> {
  const { client, mode, url } = account;
  if (mode === 'live') {
    throw new CommandFailure(
      'This is a live key, and its orders are real. `trigger` needs a sandbox key (ds_test_…).',
      { exitStatus: 2 },
    );
  }
  try {
    if (event === TEST_CALL) {
      await client.webhooks.test({ signal: options.signal });
      return { event, order_id: null, events: [TEST_CALL] };
    }
    const way: SandboxWay = ORDER_EVENTS[event].sandbox;
    const { store, near } = options;
    const orderId = await placeSandboxOrder(client, { pickup: way.pickup, near, store, scenario: way.scenario });
    for (const step of way.steps) await takeStep(client, orderId, step);
    await sendLastRequest(client, orderId, way);
    const events = await eventsUntil(client, orderId, event, options);
    return { event, order_id: orderId, events: events.map(({ type }) => type) };
  } catch (error) {
    throw explainRequestError(error, url);
  }
}

/** With a fast sandbox, the simulation may already have taken the step. */
async function takeStep(client: Client, orderId: string, step: AdvanceEvent): Promise<void> {
  try {
    await client.sandbox.advance(orderId, { event: step });
  } catch (error) {
    if (!(error instanceof DoorstepError) || error.code !== 'transition_not_allowed') throw error;
    for await (const { type } of client.orders.events(orderId)) if (type === EVENT_OF[step]) return;
    // `ready` is not allowed once the driver has the order; later steps are.
    if (step !== 'ready') throw error;
  }
}

async function sendLastRequest(client: Client, orderId: string, { last }: SandboxWay): Promise<void> {
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
  const why = 'With SANDBOX_PACE=manual, the simulated store does nothing on its own.';
  throw new CommandFailure(`Order ${orderId} had no ${wanted} within ${waitMs / 1000} seconds. ${why}`);
}
