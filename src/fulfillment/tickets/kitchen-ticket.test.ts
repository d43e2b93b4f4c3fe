import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adjustmentOf, asPickup, FIRST_PRINT, givenTicketOrder, TICKET_NOW } from '../../../test/given/ticket.ts';
import type { Order, Substitution } from '../../ordering/order/order.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import type { Food } from '../../supply/catalog/food.ts';
import { canceledSlip, kitchenTicket, type TicketContent, type TicketLine } from './ticket-documents.ts';

/** `style indent|lead text` of each line. */
const shown = (lines: readonly TicketLine[]) =>
  lines.map((line) => {
    if (line.kind === 'rule') return '-';
    if (line.kind === 'amount') return `${line.style} ${line.indent}|${line.label}|${line.amount}`;
    return `${line.style} ${line.indent}|${line.lead}${line.text}`;
  });
const kitchen = (order: Order, changes: Partial<TicketContent> = {}) =>
  shown(kitchenTicket(order, { ...FIRST_PRINT, ...changes }));

test('a kitchen ticket shows number, mode, time, name, items with options by depth, and no price', () => {
  const order = givenTicketOrder();
  const lines = kitchen(order);
  assert.deepEqual(lines, [
    'number 0|A17',
    'title 0|DELIVERY',
    'title 0|ASAP - there by 1:40 PM',
    'item 0|Test Customer',
    'plain 0|Test Pizzeria - placed 1:00 PM',
    '-',
    'item 0|2 x Margherita',
    'strong 2|+ Toppings: Olives',
    'strong 3|+ Toppings: 2 x Olives',
    '-',
    'strong 0|2 items',
  ]);
  assert.doesNotMatch(lines.join('\n'), /\$|\d\.\d\d/);
});

/** The order with food facts on its first item and on one chosen option. */
function withFood(order: Order, product: Food | null, option: Food): Order {
  const [item, ...others] = order.quote.items;
  const food = { product, options: [{ optionId: 'olives', food: option }] };
  return { ...order, quote: { ...order.quote, items: item ? [{ ...item, isAlcoholic: true, food }, ...others] : [] } };
}

const UNKNOWN: Food = { allergens: null, mayContain: null, diets: null, nutrition: null, source: null };

test('the kitchen reads its ticket in the store’s language, with the same figures in each', () => {
  const order = withFood(
    givenTicketOrder({ notes: 'no onions' }),
    { ...UNKNOWN, allergens: ['milk'], mayContain: ['tree_nuts', 'sesame'] },
    { ...UNKNOWN, allergens: ['tree_nuts'] },
  );
  const tickets = LANGUAGES.map((language) => kitchen(order, { language, copy: 2 }).join('\n'));
  const [english = '', french = '', spanish = ''] = tickets.map((ticket) => ticket.replaceAll('\u00a0', ' '));
  for (const line of [
    'RÉIMPRESSION 2',
    'LIVRAISON',
    'MAINTENANT - à livrer pour 13 h 40',
    'ALLERGÈNES : LAIT, NOIX',
    '2 articles',
  ]) {
    assert.ok(french.includes(`|${line}`), `${line}\n${french}`);
  }
  for (const line of [
    'REIMPRESIÓN 2',
    'A DOMICILIO',
    'YA - entregar para la 1:40 p.m.',
    'ALÉRGENOS: LECHE, NUECES DE ÁRBOL',
    '2 artículos',
  ]) {
    assert.ok(spanish.includes(`|${line}`), `${line}\n${spanish}`);
  }
  // French uses 24-hour times.
  const figures = (ticket: string) => ticket.replaceAll('13 h', '1 h').match(/\d+/g);
  assert.deepEqual(figures(french), figures(english));
  assert.deepEqual(figures(spanish), figures(english));
  const canceled = givenTicketOrder({}, { canceledAt: TICKET_NOW, cancelReason: 'too_busy' });
  const slip = shown(canceledSlip(canceled, { ...FIRST_PRINT, language: 'es' }));
  assert.ok(slip.includes('plain 0|Motivo: Demasiados pedidos'), slip.join('\n'));
});

test('notes of an item, notes for the driver, allergens and alcohol stand out, each in a line of its own', () => {
  const order = withFood(
    givenTicketOrder({ notes: 'no onions' }),
    { ...UNKNOWN, allergens: ['milk'], mayContain: ['tree_nuts', 'sesame'] },
    { ...UNKNOWN, allergens: ['tree_nuts'] },
  );
  const lines = kitchen(order);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('alert')),
    [
      'alert 0|DROP-OFF: no onions',
      'alert 2|NOTE: no onions',
      'alert 2|ALLERGENS: MILK, TREE NUTS',
      'alert 2|MAY CONTAIN: SESAME',
      'alert 2|ALCOHOL - CHECK ID',
    ],
  );
});

test('a ticket says where the order goes, with utensils or without, and that a code is asked for, never which', () => {
  const { request, ...order } = givenTicketOrder({ notes: 'gate 4' });
  const dropOff = { where: 'leave_at_door', utensils: false, code: true } as const;
  const customer = { ...request.customer, dropOff };
  const lines = kitchen({ ...order, request: { ...request, customer }, handoverCode: '7531' });
  assert.ok(
    lines.includes('alert 0|DROP-OFF: Leave at the door - No utensils - Ask for the PIN - gate 4'),
    lines.join(),
  );
  assert.doesNotMatch(lines.join(), /7531/);
});

test('no ticket says that an item has no allergens, whether the store stated so or nothing', () => {
  const free: Food = { ...UNKNOWN, allergens: [], mayContain: [] };
  for (const order of [withFood(givenTicketOrder(), free, free), withFood(givenTicketOrder(), null, UNKNOWN)]) {
    assert.doesNotMatch(kitchen(order).join(), /ALLERGEN|CONTAIN/);
  }
});

test('missing items, fewer units and substitutes stand out, and the count is of the goods handed off', () => {
  const order = givenTicketOrder({ notes: 'no onions' });
  const itemsOf = (...adjustments: Order['adjustments']) => kitchen({ ...order, adjustments }).slice(7);
  const options = ['strong 2|+ Toppings: Olives', 'strong 3|+ Toppings: 2 x Olives'];
  const note = 'alert 2|NOTE: no onions';
  const one = ['item 0|1 x Margherita', ...options, note, 'alert 2|ONLY 1 OF 2', '-', 'strong 0|1 item'];
  assert.deepEqual(itemsOf(adjustmentOf(order, 1)), one);
  const none = ['item 0|0 x Margherita', 'alert 2|MISSING - 2 ORDERED', '-', 'strong 0|0 items'];
  assert.deepEqual(itemsOf(adjustmentOf(order, 0)), none);
  const other = ['item 0|2 x Tea', note, 'alert 2|INSTEAD OF: Margherita', '-', 'strong 0|2 items'];
  assert.deepEqual(itemsOf(adjustmentOf(order, 2, true)), other);
});

test('the customer’s substitution wish is shown at the item; nothing is shown for a refund', () => {
  const order = givenTicketOrder();
  const wished = (substitution: Substitution) => {
    const items = order.request.items.map((item) => ({ ...item, substitution }));
    const named = ['Tea', 'Juice'].map((name, productNo) => ({ productNo, productId: name, name }));
    const quote = { ...order.quote, items: order.quote.items.map((item) => ({ ...item, namedSubstitutes: named })) };
    return kitchen({ ...order, quote, request: { ...order.request, items } }).filter((line) =>
      /If sold out/.test(line),
    );
  };
  assert.deepEqual(wished({ preference: 'store_choice' }), ['plain 2|If sold out: your choice']);
  const named = wished({ preference: 'specific', productIds: ['Tea', 'Juice'] });
  assert.deepEqual(named, ['plain 2|If sold out: Tea or Juice']);
  assert.deepEqual(wished({ preference: 'refund' }), []);
});

test('a pickup shows when it is to be ready, and the notes for the pickup', () => {
  const lines = kitchen(asPickup(givenTicketOrder({ notes: 'blue car' })));
  assert.ok(lines.includes('title 0|PICKUP'));
  assert.ok(lines.includes('title 0|ASAP - ready by 1:40 PM'));
  assert.ok(lines.includes('alert 0|PICKUP: blue car'));
});

test('a scheduled pickup says so before its slot, in the store’s time', () => {
  const order = asPickup(givenTicketOrder());
  const startEpochS = Temporal.Instant.from('2026-06-12T22:00:00Z').epochMilliseconds / 1000;
  const scheduled = { id: 's1', startEpochS, endEpochS: startEpochS + 1800 };
  const store = { ...order.quote.store, timeZone: 'America/Vancouver' };
  const lines = kitchen({ ...order, quote: { ...order.quote, scheduled, store } });
  assert.deepEqual(lines.slice(2, 4), ['banner 0|SCHEDULED', 'title 0|Fri, Jun 12, 3:00 – 3:30 PM']);
  const titleOf = (start: string) => {
    const at = Temporal.Instant.from(start).epochMilliseconds / 1000;
    const slot = { id: 's1', startEpochS: at, endEpochS: at + 1800 };
    const there = { ...store, timeZone: 'America/Los_Angeles' };
    return kitchen({ ...order, quote: { ...order.quote, scheduled: slot, store: there } })[3];
  };
  assert.equal(titleOf('2027-06-11T22:00:00Z'), 'title 0|Fri, Jun 11, 2027, 3:00 – 3:30 PM', 'a year ahead');
  assert.equal(titleOf('2026-11-01T09:30:00Z'), 'title 0|Sun, Nov 1, 1:30 – 2:00 AM PST', 'the repeated hour');
});

test('the time follows the order: a confirmed estimate replaces the quote’s; another day has its name', () => {
  const lines = kitchen(givenTicketOrder({}, { eta: TICKET_NOW.add({ hours: 12, minutes: 5 }) }));
  assert.ok(lines.includes('title 0|ASAP - there by Thu, Jun 11, 1:05 AM'), lines.join('\n'));
});

test('a reprint has its number, and a repeated print says that it may be printed already', () => {
  const order = givenTicketOrder();
  const banners = (changes: Partial<TicketContent>) =>
    kitchen(order, changes).filter((line) => line.startsWith('banner'));
  assert.deepEqual(banners({}), []);
  assert.deepEqual(banners({ copy: 2 }), ['banner 0|REPRINT 2']);
  assert.deepEqual(banners({ mayBeRepeated: true }), ['banner 0|REPRINT', 'banner 0|MAY ALREADY BE PRINTED']);
  assert.deepEqual(banners({ copy: 1, mayBeRepeated: true }), [
    'banner 0|REPRINT 1',
    'banner 0|MAY ALREADY BE PRINTED',
  ]);
});

test('a sandbox order is marked as a test', () => {
  const lines = kitchen(givenTicketOrder({}, { mode: 'sandbox' }));
  assert.equal(lines[0], 'banner 0|TEST - DO NOT MAKE');
});

test('a canceled order’s slip shows its number, when and why it ended, and the food not to make', () => {
  const order = givenTicketOrder({}, { canceledAt: TICKET_NOW, cancelReason: 'customer_request' });
  assert.deepEqual(shown(canceledSlip(order, FIRST_PRINT)), [
    'banner 0|CANCELED',
    'number 0|A17',
    'title 0|DELIVERY',
    'item 0|Test Customer',
    'alert 0|DO NOT MAKE. Canceled at 1:00 PM.',
    'plain 0|Reason: Customer asked to cancel',
    '-',
    'strong 0|2 x Margherita',
  ]);
});

test('the slip of a canceled order lists the remaining units and each substitute with its original', () => {
  const order = givenTicketOrder({}, { canceledAt: TICKET_NOW, cancelReason: 'customer_request' });
  const itemsOf = (changed: Order) => shown(canceledSlip(changed, FIRST_PRINT)).slice(-2);
  const replaced = { ...order, adjustments: [adjustmentOf(order, 1, true)] };
  assert.deepEqual(itemsOf(replaced), ['strong 0|1 x Tea', 'plain 2|INSTEAD OF: Margherita']);
  assert.deepEqual(itemsOf({ ...order, adjustments: [adjustmentOf(order, 1)] }), ['-', 'strong 0|1 x Margherita']);
  assert.equal(itemsOf({ ...order, adjustments: [adjustmentOf(order, 0)] }).at(-1), '-');
});
