import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { WEIGHT_UNITS } from '../../supply/pricing/weight.ts';
import { type AdvanceEvent, COLLECTORS } from './order.ts';
import { SharesSchema } from './shares.ts';

/**
 * Order events (docs/webhooks.md). Each step logs one; messages, webhook calls and timers follow from it. The
 * API description, `doorstep listen`, `doorstep trigger` and the documented table are generated from this list.
 */

type EventRecord = {
  meaning: string;
  /** Payload in the log, for operators and consequences; never in a webhook call. */
  data: TSchema;
  /** Null for events that only goods by weight have. */
  sandbox: SandboxWay | null;
};

/** The shortest way to cause an event with a sandbox order, as `doorstep trigger` does: steps, then a request. */
export type SandboxWay = {
  pickup: boolean;
  /** Steps, in order (docs/orders.md#statuses-and-steps). */
  steps: readonly AdvanceEvent[];
  /**
   * The request after the steps. `wait`: the simulated store causes the event. Absent if the last step itself is the
   * event.
   */
  last?: 'cancel' | 'delay' | 'refund' | 'tip' | 'update' | 'wait';
  /** Scenario of events that require more than steps (docs/sandbox.md#sandbox-scenarios). */
  scenario?: 'item_missing';
};

const DELIVERY_STEPS = ['confirm', 'ready', 'assign_driver', 'pick_up', 'approach', 'complete'] as const;
const until = (last: (typeof DELIVERY_STEPS)[number]) => DELIVERY_STEPS.slice(0, DELIVERY_STEPS.indexOf(last) + 1);

/** `pos`: a store key that is the point of sale, not notified of its own changes (docs/store-api.md). */
const SOURCE = { source: Type.Optional(Type.Literal('pos')) };
export type EventSource = 'pos' | undefined;
const STEP = Type.Object(SOURCE);
const cents = Type.Integer();
/** The unit of goods by weight. Their amounts are in thousandths of the unit. */
const UNIT = Type.Enum([...WEIGHT_UNITS]);

/**
 * Who adjusted an order: a store key (the POS), a console session, a one-order link, an operator, or the simulation.
 */
const ADJUSTED_BY = ['key', 'session', 'link', 'operator', 'simulation'] as const;
export type AdjustedBy = (typeof ADJUSTED_BY)[number];

/** Who saw an ID at the door or counter: the driver, or a person or program of the store. */
const ID_CHECKERS = ['driver', ...ADJUSTED_BY] as const;
export type IdChecker = (typeof ID_CHECKERS)[number];

/** Fields of a placed order that may change, by their names in requests. */
export const UPDATABLE_FIELDS = [
  'user_name',
  'user_phone',
  'user_apt_num',
  'user_dropoff_notes',
  'user_pickup_notes',
  'drop_off',
] as const;

/** Who canceled an order, unless it was the service. */
const CANCELED_BY = ['account', 'operator', 'customer', 'store'] as const;
export type CanceledBy = (typeof CANCELED_BY)[number];

/**
 * Reasons of refunds: someone requested it, the store hands off less than ordered, the order was canceled, the refund
 * was made at the gateway itself, or goods by weight came to less than the most that was charged for them.
 */
export const REFUND_KINDS = ['requested', 'item_changed', 'canceled', 'at_gateway', 'weighed'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

/** Who requested a refund, unless it was the account. */
export const REFUNDERS = ['operator', 'store'] as const;

export const ORDER_EVENTS = {
  'order.placed': {
    meaning: 'The order was placed. Its store has yet to confirm it.',
    data: STEP,
    sandbox: { pickup: true, steps: [] },
  },
  'order.confirmed': {
    meaning: 'The store confirmed the order.',
    data: STEP,
    sandbox: { pickup: true, steps: until('confirm') },
  },
  'order.delayed': {
    meaning: 'The store needs more time for the order, so its times have changed.',
    data: Type.Object({
      ...SOURCE,
      /** When the customer was to have the order, and when it is now, in epoch seconds. */
      from: Type.Integer(),
      to: Type.Integer(),
      reason: Type.Optional(Type.String()),
    }),
    sandbox: { pickup: true, steps: until('confirm'), last: 'delay' },
  },
  'order.item_changed': {
    meaning: "The store changed an item's quantity or substituted it. The difference is refunded.",
    data: Type.Object({
      ...SOURCE,
      index: Type.Integer(),
      by: Type.Enum([...ADJUSTED_BY]),
      reason: Type.Optional(Type.String()),
      less_cents: cents,
      product_id: Type.String(),
      name: Type.String(),
      quantity: Type.Integer(),
      from_quantity: Type.Integer(),
      ordered_quantity: Type.Integer(),
      /** Thousandths of a unit, of goods by weight: handed off before and now, and as ordered. */
      weight: Type.Optional(
        Type.Object({ unit: UNIT, from: Type.Integer(), to: Type.Integer(), ordered: Type.Integer() }),
      ),
      substituted_for: Type.Union([Type.String(), Type.Null()]),
      refund_cents: cents,
      /** Cents that leave with free units; absent for all others. */
      shares: Type.Optional(SharesSchema),
      /** Whether no item is left, so that a cancelation follows. */
      is_last: Type.Boolean(),
    }),
    sandbox: { pickup: true, steps: until('confirm'), last: 'wait', scenario: 'item_missing' },
  },
  'order.weighed': {
    meaning: 'All items sold by weight were weighed or reported missing. Sent again after each correction.',
    data: Type.Object({
      items: Type.Array(
        Type.Object({
          index: Type.Integer(),
          /** Thousandths of the unit; a missing item weighs 0. */
          ordered: Type.Integer(),
          weight: Type.Integer(),
          unit: UNIT,
          estimated_cents: cents,
          cents,
        }),
      ),
      estimated_total: cents,
      total: cents,
    }),
    sandbox: null,
  },
  'order.updated': {
    meaning: "The customer's notes, drop-off instructions, apartment, name or phone changed.",
    data: Type.Object({
      changed: Type.Array(Type.Enum([...UPDATABLE_FIELDS])),
      by: Type.Enum(['account', 'customer']),
      /** Whether the store had confirmed the order, so that its ticket is printed. */
      is_confirmed: Type.Boolean(),
    }),
    sandbox: { pickup: true, steps: until('confirm'), last: 'update' },
  },
  'order.ready': {
    meaning: 'The store has the order ready for the customer or the driver.',
    data: STEP,
    sandbox: { pickup: true, steps: until('ready') },
  },
  'order.driver_assigned': {
    meaning: 'A driver was assigned to the delivery.',
    data: STEP,
    sandbox: { pickup: false, steps: until('assign_driver') },
  },
  'order.picked_up': {
    meaning: 'The driver picked up the order at the store.',
    data: STEP,
    sandbox: { pickup: false, steps: until('pick_up') },
  },
  'order.driver_nearby': {
    meaning: 'The driver is within 500 meters of the delivery address.',
    data: STEP,
    sandbox: { pickup: false, steps: until('approach') },
  },
  'order.completed': {
    meaning: 'The order was delivered, or the customer picked it up.',
    data: Type.Object({
      ...SOURCE,
      meters_from_door: Type.Optional(Type.Integer()),
      /** Who saw an ID, for an order with alcohol. */
      id_checked_by: Type.Optional(Type.Enum([...ID_CHECKERS])),
      /** The amount collected at the handoff, and its collector; absent if nothing was due. */
      collected_cents: Type.Optional(cents),
      collected_by: Type.Optional(Type.Enum([...COLLECTORS])),
    }),
    sandbox: { pickup: false, steps: until('complete') },
  },
  'order.captured': {
    meaning:
      'The final amount of an order with items sold by weight was captured, and the rest of the authorization was voided.',
    data: Type.Object({
      /** Null where it could not be taken although the goods are gone: the operator bears it. */
      captured_cents: Type.Union([cents, Type.Null()]),
      authorized_cents: cents,
    }),
    sandbox: null,
  },
  'order.hold_declined': {
    meaning:
      "The card's authorization expired and couldn't be renewed. The order is canceled unless the customer adds another card.",
    data: Type.Object({
      /** Epoch seconds. */
      until: Type.Integer(),
    }),
    sandbox: null,
  },
  'order.canceled': {
    meaning: 'The order was canceled. Its refund is a separate event.',
    data: Type.Object({
      ...SOURCE,
      reason: Type.String(),
      refund_cents: cents,
      by: Type.Optional(Type.Enum([...CANCELED_BY])),
    }),
    sandbox: { pickup: true, steps: [], last: 'cancel' },
  },
  'order.refunded': {
    meaning: 'Money was refunded to the card.',
    data: Type.Object({
      refund_id: Type.String(),
      refund_cents: cents,
      /** Cents of the refund that returned the tip, although its driver keeps it. */
      tip_cents: Type.Optional(cents),
      kind: Type.Enum([...REFUND_KINDS]),
      /** Absent if the account requested it, or if no one did. */
      by: Type.Optional(Type.Enum([...REFUNDERS])),
      reason: Type.String(),
      items: Type.Array(
        Type.Object({
          index: Type.Integer(),
          quantity: Type.Integer(),
          unit: Type.Optional(UNIT),
          cents,
          taxCents: cents,
        }),
      ),
      shares: SharesSchema,
    }),
    sandbox: { pickup: true, steps: until('confirm'), last: 'refund' },
  },
  'order.tipped': {
    meaning: "The delivery's tip was raised and charged.",
    data: Type.Object({
      tip_cents: cents,
      added_cents: cents,
      /** The part of `added_cents` too small to charge; absent if it was charged. */
      waived_cents: Type.Optional(cents),
      /** Absent if the account or the customer raised it. */
      by: Type.Optional(Type.Literal('operator')),
      reason: Type.Optional(Type.String()),
    }),
    sandbox: { pickup: false, steps: [], last: 'tip' },
  },
} as const satisfies Readonly<Record<`order.${string}`, EventRecord>>;

export type OrderEventType = keyof typeof ORDER_EVENTS;
export const ORDER_EVENT_TYPES = Object.keys(ORDER_EVENTS) as OrderEventType[];
/** Events that every store's orders may have. */
export const TRIGGERED_EVENTS = ORDER_EVENT_TYPES.filter((type) => ORDER_EVENTS[type].sandbox !== null);

export type EventData<Type extends OrderEventType> = Readonly<Static<(typeof ORDER_EVENTS)[Type]['data']>>;

/** An event with the payload of its type. */
export type OrderEvent = { [Type in OrderEventType]: { type: Type; data: EventData<Type> } }[OrderEventType];

/**
 * Parses a row's event; undefined for a type or payload that this version does not know. During a rolling upgrade,
 * events of the newer version wait for a newer node.
 */
export function readEvent(type: string, data: unknown): OrderEvent | undefined {
  if (!isKnown(type) || !Value.Check(ORDER_EVENTS[type].data, data)) return undefined;
  return { type, data } as OrderEvent;
}

const isKnown = (type: string): type is OrderEventType => Object.hasOwn(ORDER_EVENTS, type);
