import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDER_EVENT_TYPES, type OrderEvent, readEvent } from '../../src/ordering/order/order-events.ts';
import { eventInWords } from './event-words.ts';

const SEEN = { names: ['Margherita', 'Apples'], nowS: 1_800_000_000 };
const item = { index: 0, product_id: 'p', ordered_quantity: 3, from_quantity: 3, quantity: 2, name: 'Margherita' };
const changed = { ...item, by: 'session', less_cents: 1200, substituted_for: null, refund_cents: 1306, is_last: false };
const SHARES = {
  salesCents: 0,
  deliveryFeesCents: 0,
  serviceFeesCents: 0,
  taxesCents: 0,
  tipCents: 0,
  accountCents: 1306,
  accountTaxCents: 0,
  taxLines: [],
};
const refund = { refund_id: 'r', refund_cents: 1306, reason: 'cold', items: [], shares: SHARES };
const milli = { unit: 'lb', cents: 400, taxCents: 0 };

const LOG: [type: string, data: object, sentence: RegExp][] = [
  ['order.placed', {}, /^Placed\.$/],
  ['order.confirmed', { source: 'pos' }, /^The store's point of sale confirmed it\.$/],
  [
    'order.delayed',
    { from: 1_800_000_000, to: 1_800_000_600, reason: 'oven' },
    /^The store needs 10 minutes more, until .*: oven\.$/,
  ],
  ['order.item_changed', changed, /^The store hands over 2 instead of 3 × Margherita; \$13\.06 goes back\.$/],
  [
    'order.item_changed',
    { ...changed, name: 'Apples', weight: { unit: 'lb', from: 2000, to: 1500, ordered: 2000 } },
    /^The store hands over 1\.5 lb instead of 2 lb of Apples;/,
  ],
  [
    'order.item_changed',
    { ...changed, name: 'Cola', substituted_for: 'Soda' },
    / hands over 2 × Cola in place of Soda;/,
  ],
  ['order.weighed', { items: [], estimated_total: 900, total: 850 }, /^Weighed: \$8\.50 of an estimated \$9\.00\.$/],
  [
    'order.updated',
    { changed: ['user_apt_num', 'drop_off'], by: 'customer', is_confirmed: true },
    /^The customer changed apt num, drop off\.$/,
  ],
  ['order.ready', {}, /^The store has it ready\.$/],
  ['order.driver_assigned', {}, /^A driver was assigned\.$/],
  ['order.picked_up', {}, /^The driver picked it up\.$/],
  ['order.driver_nearby', {}, /^The driver is near the door\.$/],
  [
    'order.completed',
    { meters_from_door: 12, id_checked_by: 'driver', collected_cents: 2500, collected_by: 'driver' },
    /^The customer has the order, 12 m from the door, ID checked by the driver, \$25\.00 collected by the driver\.$/,
  ],
  [
    'order.captured',
    { captured_cents: 850, authorized_cents: 990 },
    /^Charged \$8\.50 of the \$9\.90 that the card held\.$/,
  ],
  ['order.captured', { captured_cents: null, authorized_cents: 990 }, /^None of the \$9\.90 that/],
  ['order.hold_declined', { until: 1_800_000_600 }, /canceled at /],
  [
    'order.canceled',
    { reason: 'no driver', refund_cents: 1306 },
    /^Doorstep canceled it: no driver; \$13\.06 goes back\.$/,
  ],
  ['order.canceled', { reason: 'closing', refund_cents: 0, by: 'store' }, /^The store canceled it: closing\./],
  ['order.refunded', { ...refund, kind: 'requested', by: 'store' }, /^The store refunded \$13\.06: cold\.$/],
  [
    'order.refunded',
    {
      ...refund,
      kind: 'requested',
      items: [
        { ...milli, index: 1, quantity: 1250 },
        { index: 0, quantity: 2, cents: 9, taxCents: 0 },
      ],
    },
    /^The account refunded \$13\.06 for 1\.25 lb Apples, 2 × Margherita: cold\.$/,
  ],
  ['order.refunded', { ...refund, kind: 'weighed' }, /^Doorstep refunded \$13\.06 because its goods weighed less\.$/],
  [
    'order.tipped',
    { tip_cents: 700, added_cents: 500, by: 'operator' },
    /^An operator raised the tip by \$5\.00 to \$7\.00\.$/,
  ],
];

test('every event of an order is a sentence', () => {
  for (const [type, data, sentence] of LOG) {
    const event: OrderEvent = readEvent(type, data) ?? assert.fail(`${type} ${JSON.stringify(data)}`);
    assert.match(eventInWords(event, SEEN), sentence, type);
  }
  assert.deepEqual([...new Set(LOG.map(([type]) => type))].sort(), [...ORDER_EVENT_TYPES].sort());
});
