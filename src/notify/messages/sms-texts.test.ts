import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ContextTexts, DINNER, givenMessageContext, TRACKING_LINK } from '../../../test/given/message-context.ts';
import { runs } from '../../../test/runs.ts';
import { gsmText, smsParts } from './gsm-text.ts';
import { type SmsKind, smsText } from './sms-texts.ts';

const KINDS: SmsKind[] = [
  'order_placed',
  'store_confirmed',
  'order_delayed',
  'ready_for_pickup',
  'on_its_way',
  'driver_nearby',
  'delivered',
];
const of = (kind: SmsKind, texts: Partial<ContextTexts> = {}, mode: 'delivery' | 'pickup' = 'delivery') =>
  smsText(kind, givenMessageContext({ ...DINNER, mode }, { texts }));

test('each SMS states its sender, the event and the place', () => {
  assert.deepEqual(
    [...KINDS.map((kind) => of(kind)), of('store_confirmed', {}, 'pickup'), of('order_delayed', {}, 'pickup')],
    [
      `Grocer & Sons: Order A17 received: ${TRACKING_LINK}`,
      'Grocer & Sons: Test Pizzeria confirmed your order A17. It should arrive by 1:40 PM.',
      'Grocer & Sons: Test Pizzeria needs more time for your order A17. It should now arrive by 1:40 PM.',
      'Grocer & Sons: Your order A17 is ready for pickup at Test Pizzeria, 120 5th Ave, New York, NY 10011.',
      `Grocer & Sons: Order A17 is on the way: ${TRACKING_LINK}`,
      'Grocer & Sons: Test Driver is almost there with your order A17 from Test Pizzeria. Please meet your driver at the door.',
      'Grocer & Sons: Your order A17 from Test Pizzeria was delivered. Enjoy!',
      'Grocer & Sons: Test Pizzeria confirmed your order A17. It should be ready by 1:40 PM.',
      'Grocer & Sons: Test Pizzeria needs more time for your order A17. It should now be ready by 1:40 PM.',
    ],
  );
});

test('a scheduled order is confirmed for its slot', () => {
  const context = givenMessageContext(DINNER);
  const startEpochS = Temporal.Instant.from('2026-06-11T21:00:00Z').epochMilliseconds / 1000;
  const scheduled = { id: 's', startEpochS, endEpochS: startEpochS + 1800 };
  const order = { ...context.order, quote: { ...context.order.quote, scheduled } };
  const texts = (at: string) =>
    (['order_placed', 'store_confirmed'] as const).map((kind) =>
      smsText(kind, { ...context, order, at: Temporal.Instant.from(at) }),
    );
  assert.deepEqual(texts('2026-06-10T17:00:00Z'), [
    `Grocer & Sons: Order A17, Thu, Jun 11, 5:00 - 5:30 PM: ${TRACKING_LINK}`,
    'Grocer & Sons: Test Pizzeria confirmed your order A17, scheduled for Thu, Jun 11, 5:00 - 5:30 PM.',
  ]);
  assert.deepEqual(texts('2026-06-11T17:00:00Z'), [
    `Grocer & Sons: Order A17, 5:00 - 5:30 PM: ${TRACKING_LINK}`,
    'Grocer & Sons: Test Pizzeria confirmed your order A17, scheduled for 5:00 - 5:30 PM.',
  ]);
  const placedWith = (trackingLink: string) => smsText('order_placed', { ...context, order, trackingLink });
  assert.equal(
    placedWith('https://go.example/ord_1'),
    'Grocer & Sons: We got your order A17 from Test Pizzeria, scheduled for Thu, Jun 11, 5:00 - 5:30 PM. Track it: https://go.example/ord_1',
  );
  assert.match(placedWith(`${TRACKING_LINK}xxx`), /^Grocer & Sons: Order A17 received: /);
});

test('a day that is not today is named with its time', () => {
  const context = givenMessageContext(DINNER);
  const order = { ...context.order, eta: Temporal.Instant.from('2026-06-11T04:10:00Z') };
  assert.match(smsText('store_confirmed', { ...context, order }), /It should arrive by Thu, Jun 11, 12:10 AM\.$/);
});

test('names of any length and letters of Europe stay one part of 160 characters, with the whole name and link', () => {
  const names = fc.string({ unit: fc.constantFrom(...'aß Ďé’“–Ñ€[x'), maxLength: 90 });
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), names, names, names, (kind, store, address, driver) => {
      const text = of(kind, { store, address, driver });
      assert.equal(smsParts(text), 1, text);
      assert.ok(text.startsWith('Grocer & Sons: '));
      if (kind === 'order_placed' || kind === 'on_its_way') assert.ok(text.endsWith(TRACKING_LINK));
    }),
    { numRuns: runs(2000) },
  );
});

test('a short tracking host leaves room for the store', () => {
  const link = TRACKING_LINK.replace('tracking.example.com', 'go.example.com');
  const context = { ...givenMessageContext(DINNER), trackingLink: link };
  assert.equal(
    smsText('order_placed', { ...context, branding: { ...context.branding, displayName: 'G&S' } }),
    `G&S: We got your order A17 from Test Pizzeria. Track it: ${link}`,
  );
});

test('control characters and line breaks of a name become spaces', () => {
  assert.equal(
    of('driver_nearby', { store: 'A\r\nB\u202eC', driver: '\n' }),
    'Grocer & Sons: Your driver is almost there with your order A17 from A B C.',
  );
});

test('text stays in the GSM alphabet where it can, and other characters are kept', () => {
  assert.equal(gsmText('“Café”—Dvořák’s… 10 €'), '"Café"-Dvorak\'s... 10 €');
  assert.equal(gsmText('寿司 🍣'), '寿司 🍣');
});

test('parts are counted as phones count them', () => {
  assert.deepEqual(
    ['', 'a'.repeat(160), 'a'.repeat(161), '€'.repeat(80), '€'.repeat(81), '寿'.repeat(70), '寿'.repeat(71)].map(
      smsParts,
    ),
    [1, 1, 2, 1, 2, 1, 2],
  );
});
