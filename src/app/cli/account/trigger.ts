import { Argument, Command, Option } from 'commander';
import {
  type Client,
  DoorstepError,
  type OrderEvent,
  type Store,
  type StoreAddress,
} from '../../../../clients/typescript/src/main.ts';
import { DEMO_START } from '../../../../demo/catalog.ts';
import type { AdvanceEvent } from '../../../ordering/order/order.ts';
import {
  ORDER_EVENTS,
  type OrderEventType,
  type SandboxWay,
  TRIGGERED_EVENTS,
} from '../../../ordering/order/order-events.ts';
import { isCovered } from '../../../supply/stores/time-zone.ts';
import { parsed } from '../arguments.ts';
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

/*
 * `doorstep trigger`: places a sandbox order and advances it to an event, so that a developer's endpoint receives it.
 */

const TEST_CALL = 'webhook.test';
export const TRIGGERS = [...TRIGGERED_EVENTS, TEST_CALL] as const;
type Trigger = (typeof TRIGGERS)[number];

const POLL_MS = 500;
/** Maximum wait for an event. By default, the simulated store takes a step after 15 seconds. */
const MAX_EVENT_WAIT_MS = 60_000;

type Options = OutputOptions & AccountOptions & { store?: string; near: SandboxDoor; list?: true };

const parseDoor = parsed((text): SandboxDoor | undefined => {
  const [latitude, longitude, more] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (latitude === undefined || longitude === undefined || more !== undefined) return undefined;
  return isCovered(latitude, longitude) ? { latitude, longitude } : undefined;
}, 'a latitude and a longitude in the US or Canada, such as 41.8827,-87.6493');

/** `doorstep trigger`: causes an event by placing a sandbox order and advancing it. */
export function triggerCommand(): Command {
  const command = new Command('trigger');
  command
    .addArgument(new Argument('[event]', 'the event; --list shows them all').choices(TRIGGERS))
    .option('--list', 'list the events')
    .option('--store <store_id>', 'order at this store (default: an open restaurant near the coordinate)')
    .addOption(
      new Option('--near <lat,lon>', 'the delivery coordinate')
        .argParser(parseDoor)
        .default({ latitude: DEMO_START.latitude, longitude: DEMO_START.longitude }, "near the demo's diner"),
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
      waitMs: MAX_EVENT_WAIT_MS,
      pollMs: POLL_MS,
    });
    const { order_id: orderId, events } = triggered;
    answer(options, triggered, orderId === null ? `${event} was sent.` : `${orderId}  ${events.join(' → ')}`);
  });
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
      'This is a live key, and its orders are real. `trigger` requires a sandbox key (ds_test_…).',
      { exitStatus: 2 },
    );
  }
  try {
    if (event === TEST_CALL) {
      await client.webhooks.test({ signal: options.signal });
      return { event, order_id: null, events: [TEST_CALL] };
    }
    const way: SandboxWay | null = ORDER_EVENTS[event].sandbox;
    if (way === null) throw new CommandFailure('Only orders with items sold by weight have this event.');
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
  if (last === 'delay') await client.sandbox.advance(orderId, { event: 'delay' });
  if (last === 'refund') await client.orders.refund(orderId, { amount: REFUND_CENTS, reason: 'doorstep trigger' });
  if (last === 'update') await client.orders.update(orderId, { user_dropoff_notes: 'Ring twice, please' });
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

type SandboxDoor = { latitude: number; longitude: number };
type SandboxOrder = { pickup: boolean; near: SandboxDoor; store: string | undefined; scenario: string | undefined };

type Inventory = Awaited<ReturnType<Client['stores']['inventory']>>;
type Dish = { product_id: string; min_price: number; is_available: boolean };

/** Maximum distance of a store from the coordinate. */
const MAX_MILES = 50;
/** Maximum tried stores of the search. */
const MAX_STORES = 20;
/** Maximum depth of a grocery's categories. */
const MAX_LEVELS = 8;
const MAX_QUANTITY = 99;
const USER = { user_id: 'doorstep-trigger', user_email: 'trigger@example.com' };
const TIP_CENTS = 200;
/** The delivery address for a store that was chosen by id. */
const ADDRESS = { city: 'Chicago', state: 'IL', zipcode: '60607', country: 'US' };

/**
 * Places a paid sandbox order at the store, or at an open store near the address, and returns its id. Throws
 * CommandFailure if no store takes an order now.
 */
async function placeSandboxOrder(client: Client, order: SandboxOrder): Promise<string> {
  const found = order.store === undefined ? await findStores(client, order) : [];
  const stores = order.store === undefined ? found : [{ _id: order.store, address: ADDRESS }];
  for (const store of stores) {
    const dish = await findDish(client, store._id, order);
    if (!dish) continue;
    const card = await client.paymentMethods.create({ ...USER, payment_token: 'tok_visa' });
    const { order_id: orderId } = await client.orders.create({
      ...sandboxOrderBody(order, store.address),
      items: [{ product_id: dish.product_id, quantity: dish.quantity }],
      payment_method_id: card.payment_method_id,
    });
    return orderId;
  }
  const what = order.pickup ? 'taking pickup orders' : 'delivering to the coordinate';
  throw new CommandFailure(
    order.store === undefined
      ? `No open store within ${MAX_MILES} miles is ${what} now. Pass a store with --store, or a coordinate with --near.`
      : `The store ${order.store} isn't ${what} now.`,
  );
}

async function findStores(client: Client, { near, pickup }: SandboxOrder): Promise<Store[]> {
  const mode = pickup ? { pickup: true } : { pickup: false, delivers_here: true };
  const { stores } = await client.stores
    .search({ ...near, ...mode, open: true, store_type: 'restaurant', maximum_miles: MAX_MILES })
    .first();
  return stores.slice(0, MAX_STORES);
}

/** A product on sale, in the quantity that the store requires; undefined if the store takes no order. */
async function findDish(client: Client, storeId: string, { pickup, near }: SandboxOrder) {
  let level: string | undefined;
  for (let depth = 0; depth < MAX_LEVELS; depth += 1) {
    const inventory = await client.stores.inventory({
      store_id: storeId,
      pickup,
      include_quote: true,
      user_latitude: near.latitude,
      user_longitude: near.longitude,
      ...(level === undefined ? {} : { subcategory_id: level }),
    });
    const minimum = minimumOf(inventory);
    if (minimum === undefined) return undefined;
    const dishes: Dish[] = inventory.categories.flatMap((category) => category.menu_item_list);
    const quantityOf = (dish: Dish) => Math.max(2, Math.ceil(minimum / Math.max(dish.min_price, 1)));
    const dish = dishes.find((one) => one.is_available && one.min_price > 0 && quantityOf(one) <= MAX_QUANTITY);
    if (dish) return { product_id: dish.product_id, quantity: quantityOf(dish) };
    level = inventory.categories.find((category) => category.menu_item_list.length === 0)?.subcategory_id;
    if (level === undefined) return undefined;
  }
  return undefined;
}

/** The order minimum in cents; undefined if the store quotes no order now. */
function minimumOf({ quote }: Inventory): number | undefined {
  if (!quote || 'error' in quote || !quote.asap_available) return undefined;
  return quote.order_minimum;
}

function sandboxOrderBody(
  { pickup, near, scenario }: SandboxOrder,
  { city, state, zipcode, country }: Pick<StoreAddress, 'city' | 'state' | 'zipcode' | 'country'>,
) {
  const door = {
    user_latitude: near.latitude,
    user_longitude: near.longitude,
    user_street_num: '100',
    user_street_name: 'Sandbox St',
    user_city: city,
    user_state: state,
    user_zipcode: zipcode,
    user_country: country,
    driver_tip_cents: TIP_CENTS,
  };
  return {
    ...USER,
    place_order: true,
    pickup,
    autofill_selected_options: true,
    user_name: 'Sandbox Eater',
    user_phone: 15555550123,
    ...(pickup ? {} : door),
    ...(scenario === undefined ? {} : { metadata: { sandbox_scenario: scenario } }),
  };
}

/** A tip above the order's first one. */
const RAISED_TIP_CENTS = 2 * TIP_CENTS;
