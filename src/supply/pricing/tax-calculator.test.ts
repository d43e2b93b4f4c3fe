import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepsTaxContract } from '../../../test/contracts/tax-contract.ts';
import { runs } from '../../../test/runs.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import { calculatedTaxes, type OrderToTax, subjectsOf, type TaxCalculation } from './tax-calculator.ts';
import { classesOf, sharesOf, type TaxableFees, type TaxableLine, taxesOn } from './taxes.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);

/** The built-in taxes behind the port: the store's, for any address. */
async function builtInCalculation({ lines: toTax }: OrderToTax): Promise<TaxCalculation> {
  const taxes = [{ name: 'Sales tax', percent: 8.875, classes: ['prepared_food', 'soft_drink'] as const }];
  const cents = (subject: string) => toTax.find((one) => one.subject === subject)?.cents ?? 0;
  const goods = toTax.flatMap(({ subject, cents: own }): TaxableLine[] =>
    subject === 'fee' ? [] : [{ taxClass: subject, cents: own, markupCents: 0 }],
  );
  const main = goods.toSorted((one, other) => other.cents - one.cents).slice(0, 1);
  const fees = { deliveryCents: cents('fee'), serviceCents: 0, addedCents: 0, classes: classesOf(main) };
  const shares = taxesOn(goods, fees, taxes).map((tax) => sharesOf(tax, goods, fees));
  const places = [...goods.map(({ taxClass }) => taxClass), 'fee'];
  return {
    id: 'built-in',
    taxes,
    lines: toTax.map(({ subject, cents: baseCents }) => ({
      subject,
      baseCents,
      cents: shares.map((ofTax) => ofTax[places.indexOf(subject)] ?? 0),
    })),
  };
}

test('the built-in taxes keep the contract of a tax calculator', (t) =>
  keepsTaxContract(t, { calculate: builtInCalculation }));

const classes = fc.constantFrom<TaxClass>('prepared_food', 'grocery', 'candy', 'exempt');
const lines = fc.array(
  fc
    .record({ taxClass: classes, cents: fc.nat(20_000), markupCents: fc.integer({ min: -20_000, max: 5000 }) })
    .map((line): TaxableLine => ({ ...line, markupCents: Math.max(line.markupCents, 0 - line.cents) })),
  { minLength: 1, maxLength: 6 },
);
const fees: fc.Arbitrary<TaxableFees> = fc.record({
  deliveryCents: fc.nat(900),
  serviceCents: fc.nat(500),
  addedCents: fc.nat(300),
  classes: fc.constant(classesOf([])),
});
const taxCents = fc.array(fc.array(fc.nat(3000), { minLength: 2, maxLength: 2 }), { minLength: 6, maxLength: 6 });

/** Any response of a service for these lines and fees. */
function calculationFor(order: OrderToTax['lines'], cents: readonly (readonly number[])[]) {
  const taxes = [
    { name: 'State', percent: 4, classes: ['prepared_food', 'candy'] as const },
    { name: 'City', percent: 1, classes: ['prepared_food'] as const },
  ];
  return {
    taxes,
    lines: order.map(({ subject, cents: baseCents }, at) => ({ subject, baseCents, cents: cents[at] ?? [0, 0] })),
  };
}

test('an order bears each computed tax to the cent, and its shares add up to the taxes', () => {
  const property = fc.property(lines, fees, taxCents, (all, ofOrder, cents) => {
    const calculation = calculationFor(subjectsOf(all, ofOrder), cents);
    const { taxes, shares } = calculatedTaxes(calculation, all, ofOrder);
    for (const [at, tax] of taxes.entries()) {
      const computed = sum(calculation.lines.map((line) => line.cents[at] ?? 0));
      assert.equal(tax.cents + tax.addedCents, computed);
      assert.equal(sum(shares[at] ?? []), computed);
    }
    for (const [at, line] of all.entries()) {
      if (line.taxClass === 'exempt') assert.equal(sum(shares.map((ofTax) => ofTax[at] ?? 0)), 0);
    }
  });
  fc.assert(property, { numRuns: runs(20_000) });
});

test('fewer and cheaper lines, and lower fees, never bear more, and nothing bears nothing', () => {
  const kept = fc.array(fc.nat(100), { minLength: 6, maxLength: 6 });
  const property = fc.property(lines, fees, taxCents, kept, (all, ofOrder, cents, percents) => {
    const calculation = calculationFor(subjectsOf(all, ofOrder), cents);
    const part = (amount: number, at: number) => Math.trunc((amount * (percents[at] ?? 0)) / 100);
    const fewer = all.map(({ taxClass, cents: own, markupCents }, at) => {
      const marked = part(own + markupCents, at);
      return { taxClass, cents: Math.min(own, marked), markupCents: marked - Math.min(own, marked) };
    });
    const lower = {
      ...ofOrder,
      deliveryCents: part(ofOrder.deliveryCents, 0),
      addedCents: part(ofOrder.addedCents, 1),
    };
    const before = calculatedTaxes(calculation, all, ofOrder).taxes;
    const after = calculatedTaxes(calculation, fewer, lower).taxes;
    for (const [at, tax] of after.entries()) {
      const whole = before[at];
      assert.ok(whole && tax.cents + tax.addedCents <= whole.cents + whole.addedCents);
    }
    const none = calculatedTaxes(calculation, [], { ...ofOrder, deliveryCents: 0, serviceCents: 0, addedCents: 0 });
    assert.equal(sum(none.taxes.map((tax) => tax.cents + tax.addedCents)), 0);
  });
  fc.assert(property, { numRuns: runs(20_000) });
});
