import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { Caller } from '../../access/accounts/account.ts';
import type { TrackingSite } from '../../access/accounts/tracking-site.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { LoggedEvent } from '../../ordering/order/order-events.db.ts';
import {
  type EventData,
  type OrderEvent,
  type OrderEventType,
  readEvent,
  UPDATABLE_FIELDS,
} from '../../ordering/order/order-events.ts';
import { presentOrder } from '../../ordering/order/present-order.ts';
import { cents, describedObject, orNull } from '../../platform/http/api-components.ts';
import { isoMillis, isoSeconds } from '../../platform/lib/time.ts';
import { decimalOfMilli, WEIGHT_UNITS } from '../../supply/pricing/weight.ts';

/**
 * The owner of an endpoint and its calls: an account in one key mode. Keys of one mode never reach the other's
 * endpoint.
 */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** Returns the owner's name in the queue (`LeasedQueue`). */
export function ownerKey({ accountId, mode }: Owner): string {
  return `${accountId} ${mode}`;
}

/** Maximum manual calls per minute, for each of test and replay. */
export const WEBHOOK_CALLS_PER_MINUTE = 10;
export const CALLS_PER_MINUTE_SENTENCE = `Limited to ${WEBHOOK_CALLS_PER_MINUTE} per minute for each account and key mode.`;

export type Endpoint = Owner & {
  url: string;
  /** `whsec_…`; stays when the URL is replaced. */
  secret: string;
  /** When the previous secret stops signing; null unless a rotation is in progress. */
  previousSecretUntil: Temporal.Instant | null;
  /** False after days of failures, until the account attaches an endpoint again. */
  enabled: boolean;
};

export type CallState = 'pending' | 'delivered' | 'dead';

/** A webhook call. All attempts share its id. */
export type WebhookCall = {
  webhookId: string;
  type: string;
  orderId: string | null;
  attempts: number;
  lastStatus: number | null;
  nextAttemptAt: Temporal.Instant | null;
  state: CallState;
};

/** Returns an element of `deliveries` at GET /account/tracking/webhook. */
export function presentCall(call: WebhookCall) {
  return {
    webhook_id: call.webhookId,
    type: call.type,
    order_id: call.orderId,
    attempts: call.attempts,
    last_status: call.lastStatus,
    next_attempt_at: call.nextAttemptAt && isoSeconds(call.nextAttemptAt),
    state: call.state,
  };
}

export const TEST_TYPE = 'webhook.test';

/** Of quantities of goods by weight, which are decimals. */
const UNIT = Type.Enum([...WEIGHT_UNITS], { description: 'The unit. Present only for items sold by weight.' });

const ItemChangeSchema = Type.Object({
  product_id: Type.String({ description: 'The ordered product.' }),
  from_quantity: Type.Number({ description: 'The previous number of units.' }),
  to_quantity: Type.Number({ description: 'The new number of units.' }),
  unit: Type.Optional(UNIT),
  substitute: Type.Optional(
    describedObject('The substitute. Absent without one.', { product_id: Type.String(), name: Type.String() }),
  ),
});

const EventRefundSchema = Type.Object({
  amount: Type.Integer({ description: 'Cents.' }),
  reason: Type.String({ description: 'May be empty. `missing` or `substituted` if the store lacks an item.' }),
  items: Type.Array(
    Type.Object({
      index: Type.Integer({ description: "The item's position in `order.items`." }),
      product_id: Type.String({ description: 'As ordered.' }),
      quantity: Type.Number(),
      unit: Type.Optional(UNIT),
      amount: Type.Integer({ description: 'Cents, including the share of tax. For a missing item, also of fees.' }),
    }),
    { description: 'The refunded items. Empty for an amount without items.' },
  ),
});

const LOGGED = 'Absent if the log contains no details.';
const whereLogged = <Schema extends TSchema>(schema: Schema): Schema => ({ ...schema, description: LOGGED });

/** Members of `data` alongside `sequence` and `order`, by type of event. */
export const EVENT_MEMBERS: Partial<Record<OrderEventType, TProperties>> = {
  'order.item_changed': { change: Type.Optional(whereLogged(ItemChangeSchema)) },
  'order.weighed': {
    items: Type.Array(
      Type.Object({
        index: Type.Integer({ description: "The item's position in the order's `items`, from 0." }),
        ordered: Type.Number({ description: 'The ordered weight.' }),
        weight: Type.Number({ description: 'The measured weight. 0 for a missing item.' }),
        unit: Type.Enum([...WEIGHT_UNITS]),
        estimated_cents: cents("The line's estimated price."),
        cents: cents("The line's final price."),
      }),
      { description: 'The items sold by weight.' },
    ),
    estimated_total: cents("The order's estimated total."),
    total: cents("The order's final total."),
  },
  'order.captured': {
    captured_cents: orNull(cents('The amount captured from the card.'), "Null if it couldn't be captured."),
    authorized_cents: cents('The authorized amount.'),
  },
  'order.delayed': {
    from: Type.Integer({ description: 'The previous estimated arrival, in epoch seconds.' }),
    to: Type.Integer({
      description: 'The new estimated arrival, in epoch seconds. Unchanged if a scheduled order keeps its slot.',
    }),
    reason: Type.Optional(Type.String({ description: 'Absent if the store gave no reason.' })),
  },
  'order.updated': {
    changed: Type.Array(Type.Enum([...UPDATABLE_FIELDS]), {
      description: 'The changed fields, by their names in `/order/update`.',
    }),
  },
  'order.refunded': { refund: Type.Optional(whereLogged(EventRefundSchema)) },
  'order.canceled': {
    reason: Type.Optional(Type.String({ description: `The order's \`cancel_reason\`, as written. ${LOGGED}` })),
  },
};

export const USER_AGENT = 'Doorstep-Webhooks/1';

/** Writes a webhook delivery's body, with the order as of right after the event (docs/webhooks.md#what-arrives). */
export function webhookBody({ type, at, sequence, order, data }: LoggedEvent, site: TrackingSite): string {
  const what = presentWhat(readEvent(type, data), order);
  return JSON.stringify({
    type,
    timestamp: isoMillis(at),
    data: { sequence, ...what, order: presentOrder(order, site) },
  });
}

/** Presents the members of `data` for types of events whose change the order itself does not show. */
function presentWhat(event: OrderEvent | undefined, { quote }: Pick<Order, 'quote'>): object {
  switch (event?.type) {
    case 'order.item_changed':
      return { change: presentChange(event.data, quote) };
    case 'order.captured':
      return event.data;
    case 'order.weighed':
      return { ...event.data, items: event.data.items.map(presentWeighed) };
    case 'order.delayed': {
      const { source, ...delay } = event.data;
      return delay;
    }
    case 'order.updated':
      return { changed: event.data.changed };
    case 'order.refunded':
      return { refund: presentRefund(event.data, quote) };
    case 'order.canceled':
      return { reason: event.data.reason };
    default:
      return {};
  }
}

function presentChange(
  data: EventData<'order.item_changed'>,
  { items }: Order['quote'],
): Static<typeof ItemChangeSchema> {
  const { quantity, substituted_for: replaced, weight } = data;
  return {
    product_id: items[data.index]?.productId ?? data.product_id,
    from_quantity: weight ? decimalOfMilli(weight.from) : data.from_quantity,
    to_quantity: weight ? decimalOfMilli(weight.to) : quantity,
    ...(weight && { unit: weight.unit }),
    ...(replaced === null ? {} : { substitute: { product_id: data.product_id, name: data.name } }),
  };
}

const presentWeighed = ({ ordered, weight, ...item }: EventData<'order.weighed'>['items'][number]) => ({
  ...item,
  ordered: decimalOfMilli(ordered),
  weight: decimalOfMilli(weight),
});

function presentRefund(data: EventData<'order.refunded'>, { items }: Order['quote']): Static<typeof EventRefundSchema> {
  return {
    amount: data.refund_cents,
    reason: data.reason,
    items: data.items.map(({ index, quantity, unit, cents: netCents, taxCents }) => ({
      index,
      product_id: items[index]?.productId ?? '',
      quantity: unit ? decimalOfMilli(quantity) : quantity,
      ...(unit && { unit }),
      amount: netCents + taxCents,
    })),
  };
}

export function testBody(at: Temporal.Instant): string {
  return JSON.stringify({ type: TEST_TYPE, timestamp: isoMillis(at), data: {} });
}
