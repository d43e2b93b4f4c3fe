import type { EventData, OrderEvent, OrderEventType } from '../../src/ordering/order/order-events.ts';
import { centsInWords, countInWords, momentInWords, wordsOf } from './words.ts';

/* The log of an order as sentences. */

/** Who did something, as a subject; `pos` in an event's source is the store's till. */
const DOERS = {
  account: 'The account',
  customer: 'The customer',
  driver: 'The driver',
  key: "The store's point of sale",
  link: 'The store, by the link of the order,',
  operator: 'An operator',
  session: 'The store',
  simulation: 'The simulated store',
  store: 'The store',
} as const;

/** The names of the order's items, and the time in epoch seconds. */
type Seen = { names: readonly string[]; nowS: number };

type Source = { source?: 'pos' };
const storeOf = ({ source }: Source) => (source === 'pos' ? DOERS.key : DOERS.store);
const why = (reason: string | undefined) => (reason ? `: ${reason}` : '');
const givenBack = (cents: number) => (cents === 0 ? '' : `; ${centsInWords(cents)} goes back`);
const weightOf = (milli: number, unit: string) => `${milli / 1000} ${unit}`;

const REFUNDS = {
  requested: '',
  item_changed: ' for a changed item',
  canceled: ' for the canceled order',
  at_gateway: ' at the payment gateway',
  weighed: ' because its goods weighed less',
} as const;

function changedItem(data: EventData<'order.item_changed'>) {
  const { by, name, weight, from_quantity, quantity, substituted_for, reason, refund_cents, is_last } = data;
  const less = weight
    ? `${weightOf(weight.to, weight.unit)} instead of ${weightOf(weight.from, weight.unit)} of ${name}`
    : `${quantity} instead of ${from_quantity} × ${name}`;
  const change = substituted_for === null ? less : `${quantity} × ${name} in place of ${substituted_for}`;
  const last = is_last ? '; no item is left' : '';
  return `${DOERS[by]} hands over ${change}${why(reason)}${givenBack(refund_cents)}${last}`;
}

function completion({ id_checked_by, meters_from_door, collected_cents, collected_by }: EventData<'order.completed'>) {
  const more = [
    ...(meters_from_door === undefined ? [] : [`${meters_from_door} m from the door`]),
    ...(id_checked_by === undefined ? [] : [`ID checked by ${DOERS[id_checked_by].toLowerCase()}`]),
    ...(collected_cents === undefined ? [] : [`${centsInWords(collected_cents)} collected by the ${collected_by}`]),
  ];
  return ['The customer has the order', ...more].join(', ');
}

const SENTENCES: { [Type in OrderEventType]: (data: EventData<Type>, seen: Seen) => string } = {
  'order.placed': () => 'Placed',
  'order.confirmed': (data) => `${storeOf(data)} confirmed it`,
  'order.delayed': ({ from, to, reason, ...data }, { nowS }) =>
    `${storeOf(data)} needs ${countInWords(Math.round((to - from) / 60), 'minute')} more, until ${momentInWords(to, nowS)}${why(reason)}`,
  'order.item_changed': changedItem,
  'order.weighed': ({ total, estimated_total }) =>
    `Weighed: ${centsInWords(total)} of an estimated ${centsInWords(estimated_total)}`,
  'order.updated': ({ by, changed }) =>
    `${DOERS[by]} changed ${changed.map((field) => wordsOf(field.replace('user_', ''))).join(', ')}`,
  'order.ready': (data) => `${storeOf(data)} has it ready`,
  'order.driver_assigned': () => 'A driver was assigned',
  'order.picked_up': () => 'The driver picked it up',
  'order.driver_nearby': () => 'The driver is near the door',
  'order.completed': completion,
  'order.captured': ({ captured_cents, authorized_cents }) =>
    captured_cents === null
      ? `None of the ${centsInWords(authorized_cents)} that the card held could be charged`
      : `Charged ${centsInWords(captured_cents)} of the ${centsInWords(authorized_cents)} that the card held`,
  'order.hold_declined': ({ until }, { nowS }) =>
    `The card no longer holds the money. Without another card the order is canceled at ${momentInWords(until, nowS)}`,
  'order.canceled': ({ by, reason, refund_cents, ...data }) => {
    const doer = by === 'store' ? storeOf(data) : by ? DOERS[by] : 'Doorstep';
    return `${doer} canceled it${why(reason)}${givenBack(refund_cents)}`;
  },
  'order.refunded': ({ by, kind, refund_cents, items, reason }, { names }) => {
    const given = items.map(({ index, quantity, unit }) => {
      return `${unit ? weightOf(quantity, unit) : `${quantity} ×`} ${names[index] ?? 'an item'}`;
    });
    const what = given.length === 0 ? '' : ` for ${given.join(', ')}`;
    const doer = by ? DOERS[by] : kind === 'requested' ? DOERS.account : 'Doorstep';
    return `${doer} refunded ${centsInWords(refund_cents)}${REFUNDS[kind]}${what}${why(kind === 'requested' ? reason : '')}`;
  },
  'order.tipped': ({ by, tip_cents, added_cents, reason }) =>
    `${by ? 'An operator raised the tip' : 'The tip was raised'} by ${centsInWords(added_cents)} to ${centsInWords(tip_cents)}${why(reason)}`,
};

/** `The store confirmed it.` */
export function eventInWords({ type, data }: OrderEvent, seen: Seen): string {
  const sentence = (SENTENCES[type] as (data: OrderEvent['data'], seen: Seen) => string)(data, seen);
  return /[.?!…]$/.test(sentence) ? sentence : `${sentence}.`;
}
