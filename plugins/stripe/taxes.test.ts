import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import type { OrderToTax } from '../../src/supply/pricing/tax-calculator.ts';
import { readStripeContract } from '../../test/contracts/stripe-contract.ts';
import { keepsTaxContract } from '../../test/contracts/tax-contract.ts';
import { startStripeDouble, type Trouble } from '../../test/fakes/stripe-double.ts';
import { leftOf } from '../../test/fakes/stripe-tax-books.ts';
import { holdTimeOuts } from '../../test/time-outs.ts';
import { until } from '../../test/until.ts';
import { createStripeTaxes } from './taxes.ts';

const contract = readStripeContract(join(import.meta.dirname, '../../../shared/data/contracts/stripe-openapi.json'));
const skip = contract ? false : 'the contract of Stripe is not here';

const stripe = await startStripeDouble(contract);
const taxes = createStripeTaxes({ secretKey: 'sk_live_secret', baseUrl: stripe.baseUrl });
after(() => stripe.close());

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);
const PATHS = {
  record: '/v1/tax/transactions/create_from_calculation',
  reverse: '/v1/tax/transactions/create_reversal',
};

test('Stripe Tax keeps the contract of a tax calculator', (t) =>
  keepsTaxContract(t, {
    calculate: taxes.calculate,
    books: {
      ...taxes,
      loseAnswer: (of) => stripe.trouble(PATHS[of], 'lose_answer'),
      async booked(reference) {
        const own = stripe.transactions().filter((one) => one.reference === reference);
        const left = own.flatMap(({ lines }) =>
          lines.map(({ id }) => leftOf({ transactions: stripe.transactions() }, id)),
        );
        return {
          taxCents: sum(left.map(({ amount_tax }) => amount_tax)),
          baseCents: sum(left.map(({ amount }) => amount)),
          records: own.length,
          reversals: stripe.transactions().filter(({ original }) => original === own[0]?.id).length,
        };
      },
    },
  }));

const DOOR = { street: '60 W 10th St', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' } as const;
const orderAt = (address: OrderToTax['address'], ...lines: OrderToTax['lines']): OrderToTax => ({ address, lines });

test('Stripe gets the address, and for each class its code and sum', async () => {
  await taxes.calculate(
    orderAt(
      DOOR,
      { subject: 'grocery', cents: 900 },
      { subject: 'prepared_food', cents: 1000 },
      { subject: 'fee', cents: 500 },
    ),
  );
  const item = (reference: string, amount: string, tax_code: string) => {
    return { amount, reference, tax_behavior: 'exclusive', tax_code };
  };
  assert.deepEqual(stripe.requests.at(-1)?.form, {
    currency: 'usd',
    customer_details: {
      address: { line1: '60 W 10th St', city: 'New York', state: 'NY', postal_code: '10011', country: 'US' },
      address_source: 'shipping',
    },
    line_items: {
      0: item('grocery', '900', 'txcd_40040000'),
      1: item('prepared_food', '1000', 'txcd_40060003'),
      2: item('fee', '500', 'txcd_40060003'),
    },
    expand: { 0: 'line_items.data.tax_breakdown' },
  });
});

test('taxes of one name are one tax in any number of jurisdictions, and differently named taxes stay apart', async () => {
  const soda = await taxes.calculate(orderAt(DOOR, { subject: 'soft_drink', cents: 400 }));
  assert.deepEqual(soda.taxes, [{ name: 'Sales Tax', percent: 8.875 }]);
  const montreal = { ...DOOR, city: 'Montréal', state: 'QC', zipcode: 'H2X 1Y4', country: 'CA' } as const;
  const { taxes: named, lines } = await taxes.calculate(orderAt(montreal, { subject: 'candy', cents: 1010 }));
  assert.deepEqual(named, [
    { name: 'GST', percent: 5 },
    { name: 'QST', percent: 9.975 },
  ]);
  assert.deepEqual(lines, [{ subject: 'candy', baseCents: 1010, cents: [51, 101] }]);
  assert.equal(stripe.requests.at(-1)?.form.currency, 'cad');
});

test('a tax of several percents is one tax, each class with its own', async () => {
  const missouri = { ...DOOR, city: 'St. Louis', state: 'MO', zipcode: '63101' };
  const order = orderAt(missouri, { subject: 'grocery', cents: 1000 }, { subject: 'candy', cents: 1000 });
  const { taxes: named, lines } = await taxes.calculate(order);
  assert.deepEqual(named, [{ name: 'Sales Tax', percent: 4.225 }]);
  assert.deepEqual(
    lines.map(({ cents }) => cents),
    [[10], [42]],
  );
});

const TROUBLES: Trouble[] = ['lose_answer', 'hang', 500, 429, { status: 200, text: '<html>' }];
for (const trouble of TROUBLES) {
  test(`a calculation that meets ${JSON.stringify(trouble)} is unanswered after one try, within three seconds`, async (t) => {
    const earlier = stripe.requests.length;
    const timeOuts = holdTimeOuts(t);
    stripe.trouble('/v1/tax/calculations', trouble);
    const failing = assert.rejects(
      taxes.calculate(orderAt(DOOR, { subject: 'candy', cents: 100 })),
      (error) => error instanceof OutsideError && error.retryable && !String(error).includes('10th'),
    );
    if (trouble === 'hang') {
      await until('the call arrives', () => stripe.requests.length > earlier);
      timeOuts.pass(3000);
    }
    await failing;
    assert.equal(stripe.requests.length - earlier, 1);
  });
}

test('a tax response with other lines or a wrong sum is rejected', async () => {
  const order = orderAt(DOOR, { subject: 'candy', cents: 100 });
  const line = { id: 'li', reference: 'candy', amount: 100, amount_tax: 9 };
  const answer = (change: object) =>
    JSON.stringify({ id: 'taxcalc_x', tax_amount_exclusive: 9, line_items: { data: [line] }, ...change });
  for (const change of [
    { line_items: { data: [] } },
    { line_items: { data: [{ ...line, amount: 99 }] } },
    { line_items: { data: [{ ...line, amount_tax: -9 }] } },
    { tax_amount_exclusive: 10 },
    { id: null },
    { line_items: null },
  ]) {
    stripe.trouble('/v1/tax/calculations', { status: 200, text: answer(change) });
    await assert.rejects(taxes.calculate(order), (error) => error instanceof OutsideError && error.retryable);
  }
  stripe.trouble('/v1/tax/calculations', { status: 200, text: answer({}) });
  assert.deepEqual((await taxes.calculate(order)).lines, [{ subject: 'candy', baseCents: 100, cents: [9] }]);
});

test('an address that Stripe does not find is refused', async () => {
  const nowhere = { ...DOOR, zipcode: '' };
  await assert.rejects(
    taxes.calculate(orderAt(nowhere, { subject: 'candy', cents: 100 })),
    (error) => error instanceof OutsideError && !error.retryable,
  );
});

test("every request and every answer of the double fits Stripe's published contract", { skip }, () => {
  assert.ok(stripe.requests.length > 25);
  assert.deepEqual([...new Set(stripe.faults)], []);
});
