import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { orderBody } from '../../../test/given/orders.ts';
import { centsIn, offeredTips } from '../../ordering/money/offered-tips.ts';
import type { FrozenQuote, OrderRequest } from '../../ordering/order/order.ts';
import { type OrderBody, orderRequestOf } from '../../ordering/place/order-body.ts';
import { type CheckoutForm, fieldsToEnter, readCheckoutForm } from './checkout-form.ts';

const request = orderRequestOf(orderBody('product', 'pm_1') as OrderBody);
const items: FrozenQuote['items'] = [];
const quote = { subtotalCents: 12_000, items } as FrozenQuote;
const read = (from: OrderRequest, form: CheckoutForm, of = quote) =>
  readCheckoutForm({ request: from, quote: of }, form);
const guest: OrderRequest = { ...request, customer: { ...request.customer, name: '', email: '', phone: null } };

test('a form of any texts fills only the fields that the client left empty, and the tip', () => {
  const text = fc.string({ maxLength: 40 });
  const actions = fc.oneof(fc.constantFrom('place', 'card', 'update', 'tip-amount', 'tip-0', 'tip-500'), text);
  fc.assert(
    fc.property(
      fc.record({ action: actions, name: text, email: text, phone: text, tip_amount: text, total: text }),
      (form) => {
        const known = read(request, form);
        assert.deepEqual({ ...known.request, tipCents: 0 }, { ...request, tipCents: 0 });
        const filled = read(guest, form);
        const { name, email, phone, ...rest } = filled.request.customer;
        const { name: _n, email: _e, phone: _p, ...same } = guest.customer;
        assert.deepEqual(rest, same);
        assert.ok(Number.isSafeInteger(filled.request.tipCents) && filled.request.tipCents >= 0);
        assert.equal(name, form.name.trim());
        assert.ok(email === '' || email === form.email.trim());
        assert.ok(phone === null || Number.isSafeInteger(phone));
        if (form.action !== 'place') return;
        for (const field of ['name', 'email', 'phone'] as const)
          assert.equal(filled.faulty.includes(field), !filled.request.customer[field], field);
      },
    ),
  );
});

test('customer entries may be corrected, and fields sent by the client are never asked for', () => {
  assert.deepEqual([fieldsToEnter(request), fieldsToEnter(guest)], [[], ['name', 'email', 'phone']]);
  const once = read(guest, { action: 'update', name: 'Ana', email: 'a@example.com', phone: '' });
  assert.deepEqual([once.faulty, fieldsToEnter(once.request)], [[], ['name', 'email', 'phone']]);
  const again = read(once.request, { action: 'place', name: 'Ana P.', email: '', phone: '2125550142' });
  assert.deepEqual([again.faulty, again.request.customer.name], [['email'], 'Ana P.']);
});

test('a cart with alcohol is placed only by a customer who says to be old enough', () => {
  const wine = { isAlcoholic: true, quantity: 1, customizations: [] } as unknown as FrozenQuote['items'][number];
  const store = { country: 'US' } as FrozenQuote['store'];
  const faultyOf = (form: CheckoutForm) => read(request, form, { ...quote, store, items: [wine] }).faulty;
  assert.deepEqual(faultyOf({ action: 'place' }), ['of_age']);
  assert.deepEqual(faultyOf({ action: 'place', of_age: 'no' }), ['of_age']);
  assert.deepEqual([faultyOf({ action: 'place', of_age: 'yes' }), faultyOf({ action: 'update' })], [[], []]);
  assert.deepEqual(read(request, { action: 'place' }).faulty, []);
});

test('tips are exact percents of the items; an amount has a point or a comma; a pickup has none', () => {
  assert.deepEqual(
    offeredTips(4250).map(({ cents }) => cents),
    [425, 638, 850],
  );
  const tip = (tip_amount: string) => {
    const { request: filled, faulty } = read(request, { action: 'tip-amount', tip_amount });
    return faulty.length > 0 ? undefined : filled.tipCents;
  };
  assert.deepEqual(
    ['5', '5.5', '5,05', '$ 7.00', '7,00 $', ' 0 ', '5.', ',5'].map(tip),
    [500, 550, 505, 700, 700, 0, 500, 50],
  );
  for (const wrong of ['', '.', '-1', '1.234', '1e3', '5.0.0', 'NaN', '999999999', '100001'])
    assert.equal(tip(wrong), undefined, wrong);
  assert.equal(read({ ...request, mode: 'pickup' }, { action: 'tip-500' }).request.tipCents, request.tipCents);
  assert.equal(read(request, { action: 'tip-99999999' }).faulty[0], 'tip_amount');
  assert.deepEqual(
    [centsIn('12'), centsIn('-1'), centsIn('1.5'), centsIn(''), centsIn(undefined), centsIn('9'.repeat(16))],
    [12, ...Array(5).fill(undefined)],
  );
});

test('a tip at checkout is up to the items’ price, or up to $100 for a smaller order', () => {
  const isTaken = (cents: number, subtotalCents: number) =>
    read(request, { action: `tip-${cents}` }, { ...quote, subtotalCents }).faulty.length === 0;
  assert.deepEqual([isTaken(10_000, 1500), isTaken(10_001, 1500)], [true, false]);
  assert.deepEqual([isTaken(12_000, 12_000), isTaken(12_001, 12_000)], [true, false]);
});
