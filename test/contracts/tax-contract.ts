import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { randomId } from '../../src/platform/lib/random-id.ts';
import type { OrderToTax, TaxCalculation, TaxCalculator } from '../../src/supply/pricing/tax-calculator.ts';

/** An order's records: tax less reversals, and the number of records and reversals. */
export type BookedTax = { taxCents: number; baseCents: number; records: number; reversals: number };

/** `taxes` is the calculation alone for a calculator without books: the ledger is the record of the built-in taxes. */
export type TaxSubjectOfTest = {
  calculate: TaxCalculator['calculate'];
  books?: Pick<TaxCalculator, 'record' | 'reverse'> & {
    booked(reference: string): Promise<BookedTax>;
    /** Loses the response of the next call. */
    loseAnswer(of: 'record' | 'reverse'): void;
  };
};

const ADDRESS = { street: '60 W 10th St', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' } as const;
const BASKET: OrderToTax = {
  address: ADDRESS,
  lines: [
    { subject: 'prepared_food', cents: 2500 },
    { subject: 'grocery', cents: 1000 },
    { subject: 'fee', cents: 800 },
  ],
};

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);
const taxOf = ({ lines }: TaxCalculation) => sum(lines.flatMap(({ cents }) => cents));

/**
 * The contract of a tax calculator, on New York's prepared food at 8.875 % with untaxed groceries and taxed
 * fees.
 */
export async function keepsTaxContract(t: TestContext, { calculate, books }: TaxSubjectOfTest): Promise<void> {
  await t.test('each subject bears its cents of each tax, and exempt ones bear none', async () => {
    const { taxes, lines } = await calculate(BASKET);
    assert.deepEqual(
      lines.map(({ subject, baseCents, cents }) => [subject, baseCents, sum(cents)]),
      [
        ['prepared_food', 2500, 222],
        ['grocery', 1000, 0],
        ['fee', 800, 71],
      ],
    );
    for (const { cents } of lines) assert.equal(cents.length, taxes.length);
    assert.equal(new Set(taxes.map(({ name }) => name)).size, taxes.length, 'each tax has a name of its own');
    for (const { percent } of taxes) assert.equal(percent, 8.875);
  });

  await t.test('an order is taxed alike each time, and less of it never more', async () => {
    assert.equal(taxOf(await calculate(BASKET)), taxOf(await calculate(BASKET)));
    const fewer = { ...BASKET, lines: BASKET.lines.slice(1) };
    assert.ok(taxOf(await calculate(fewer)) <= taxOf(await calculate(BASKET)));
  });

  await t.test('large and small amounts are whole cents within a cent a line of the exact tax', async () => {
    for (const cents of [1, 5, 6, 99, 12_345, 100_000_000]) {
      const tax = taxOf(await calculate({ ...BASKET, lines: [{ subject: 'prepared_food', cents }] }));
      assert.ok(Number.isSafeInteger(tax) && Math.abs(tax - cents * 0.08875) <= 1, `${tax} on ${cents}`);
    }
  });
  if (books) await keepsBooks(t, calculate, books);
}

async function keepsBooks(
  t: TestContext,
  calculate: TaxCalculator['calculate'],
  books: NonNullable<TaxSubjectOfTest['books']>,
): Promise<void> {
  const given = async () => ({ calculationId: (await calculate(BASKET)).id, reference: randomId('ord_') });
  const isRefused = (run: Promise<unknown>) =>
    assert.rejects(run, (error) => error instanceof OutsideError && !error.retryable);
  const isUnanswered = (run: Promise<unknown>) =>
    assert.rejects(run, (error) => error instanceof OutsideError && error.retryable);

  await t.test('a sale is recorded once under its reference, and answered alike', async () => {
    const sale = await given();
    const recordId = await books.record(sale);
    assert.equal(await books.record(sale), recordId);
    assert.deepEqual(await books.booked(sale.reference), { taxCents: 293, baseCents: 4300, records: 1, reversals: 0 });
  });

  await t.test('partial refunds reduce their lines, count once per reference, and never exceed the rest', async () => {
    const sale = await given();
    const recordId = await books.record(sale);
    const part = { subject: 'prepared_food', baseCents: 400, taxCents: 36 } as const;
    const first = { recordId, reference: `${sale.reference}:2`, lines: [part] };
    const reversalId = await books.reverse(first);
    assert.equal(await books.reverse(first), reversalId);
    const tooMuch = { ...part, baseCents: 2101, taxCents: 186 };
    await isRefused(books.reverse({ recordId, reference: `${sale.reference}:3`, lines: [tooMuch] }));
    const rest = [
      { subject: 'prepared_food', baseCents: 2100, taxCents: 186 },
      { subject: 'grocery', baseCents: 1000, taxCents: 0 },
      { subject: 'fee', baseCents: 800, taxCents: 71 },
    ] as const;
    await books.reverse({ recordId, reference: `${sale.reference}:4`, lines: rest });
    assert.deepEqual(await books.booked(sale.reference), { taxCents: 0, baseCents: 0, records: 1, reversals: 2 });
  });

  await t.test('a call whose answer is lost is repeated under its reference, and has one effect', async () => {
    const sale = await given();
    books.loseAnswer('record');
    await isUnanswered(books.record(sale));
    const recordId = await books.record(sale);
    const lines = [{ subject: 'fee', baseCents: 800, taxCents: 71 }] as const;
    const reversal = { recordId, reference: `${sale.reference}:2`, lines };
    books.loseAnswer('reverse');
    await isUnanswered(books.reverse(reversal));
    await books.reverse(reversal);
    assert.deepEqual(await books.booked(sale.reference), { taxCents: 222, baseCents: 3500, records: 1, reversals: 1 });
  });

  await t.test('a calculation or record that is none is refused', async () => {
    await isRefused(books.record({ calculationId: 'taxcalc_none', reference: randomId('ord_') }));
    const lines = [{ subject: 'prepared_food', baseCents: 1, taxCents: 0 }] as const;
    await isRefused(books.reverse({ recordId: 'tax_none', reference: randomId('ord_'), lines }));
  });
}
