import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { STEPS, takeAny } from '../../../test/lives/any-step.ts';
import { entriesOf } from '../../../test/lives/ledger-lives.ts';
import { type PureLife, placedLife } from '../../../test/lives/pure-life.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import { runs } from '../../../test/runs.ts';
import type { Calls } from '../../../test/simulate/outside-party.ts';
import { createSimulatedTaxes, createTaxBooks, leftOf } from '../../../test/simulate/simulated-taxes.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { recordByName } from '../../platform/lib/records.ts';
import type { TaxCalculation, TaxSubject } from '../../supply/pricing/tax-calculator.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { receiptOfOrder } from '../money/receipt.ts';
import type { FrozenQuote } from '../order/order.ts';
import { taxationOf } from '../order/reprice-order.ts';
import { type TaxOrderDeps, taxOrder } from '../place/tax-order.flow.ts';
import { LEDGER_EVENTS } from './ledger-entry.ts';
import { TAXABLE_PARTS, taxReversals } from './tax-reversals.ts';

/** Orders with any taxes that a service computes, from the quote to the last refund. */

const DIRECT: Calls = {
  down: new Set(),
  call: async ({ effect }) => effect(),
  run: (_owner, _party, _what, task) => task(),
};
const CALLER = { accountId: 'acc_1', mode: 'live', keyId: 'key' } as const;
const STORE = { address: { country: 'US', state: 'NY', city: 'New York', zipcode: '10011', streetAddr: '1 A St' } };

const { step, refund, tip, adjust } = STEPS;
const steps = fc.array(fc.oneof(step, refund, tip, adjust), { maxLength: 12 });

/** The calculation of a service that takes these cents of one line after the other, by two taxes. */
async function taxed(
  quote: FrozenQuote,
  order: object,
  amounts: readonly number[],
): Promise<[FrozenQuote, TaxCalculation]> {
  let made: TaxCalculation = { id: 'calc_1', taxes: [], lines: [] };
  const deps = {
    clock: { now: () => Temporal.Instant.from('2026-06-10T17:00:00Z') },
    config: { taxFallback: 'refuse' },
    log: pino({ level: 'silent' }),
    taxes: {
      async calculate({ lines }: { lines: readonly { subject: TaxSubject; cents: number }[] }) {
        made = {
          id: 'calc_1',
          taxes: [
            { name: 'State', percent: 4 },
            { name: 'City', percent: 1 },
          ],
          lines: lines.map(({ subject, cents: baseCents }, at) => ({
            subject,
            baseCents,
            cents: [amounts[at] ?? 0, amounts.at(-1 - at) ?? 0],
          })),
        };
        return made;
      },
    },
  };
  const quoted = { ...order, quote } as unknown as Parameters<typeof taxOrder>[2];
  return [await taxOrder(deps as unknown as TaxOrderDeps, CALLER, quoted, undefined), made];
}

const orders = carts.filter(({ lines }) => lines.length > 0);
const amounts = fc.array(fc.nat(900), { minLength: 6, maxLength: 6 });
const terms = { commission: '15', perOrder: 0n, delivery: 'store', tax: 'operator' } as const;

test('computed taxes are charged to the cent, and the rest at the tax service equals the ledger’s', async () => {
  const property = fc.asyncProperty(orders, amounts, steps, async (cart, cents, all) => {
    const { order: plain } = givenMessageContext(orderOf(cart));
    const [quote, calculation] = await taxed(plain.quote, { request: plain.request, store: STORE }, cents);
    const before = plain.quote.totalWithTipCents - plain.quote.salesTaxCents - plain.quote.addedFee.salesTaxCents;
    const computed = sumCents(calculation.lines.flatMap((line) => line.cents));
    if (calculation.lines.length === 0) return;
    assert.equal(quote.salesTaxCents + quote.addedFee.salesTaxCents, computed);
    assert.equal(quote.totalWithTipCents, before + computed);
    assert.equal(sumCents(quote.taxes.map((tax) => tax.cents)), quote.salesTaxCents);
    const life = placedLife({ ...plain, quote }, 'card');
    if (life.order.chargedCents === 0) return;
    for (const step of all) {
      const total = taxationOf(life.order).price.totalWithTipCents;
      takeAny(life, step);
      assert.ok(taxationOf(life.order).price.totalWithTipCents <= total, 'fewer units never cost more');
      assert.ok(life.order.refundedCents <= life.order.chargedCents);
    }
    const receipt = receiptOfOrder(life.order, life.ledger, localeOf('en', 'US'));
    assert.equal(receipt.subtotalCents + sumCents(receipt.charges.map((line) => line.cents)), receipt.totalCents);
    await checkBooks(life, calculation, cart);
  });
  await fc.assert(property, { numRuns: runs(20_000, 1500), endOnFailure: true });
});

/** Records the life's entries at a service that refuses more than is left of a line. */
async function checkBooks(
  life: PureLife,
  calculation: TaxCalculation,
  cart: Parameters<typeof entriesOf>[0]['cart'],
): Promise<void> {
  const events = life.log.filter(({ event }) => (LEDGER_EVENTS as readonly string[]).includes(event.type));
  const entries = entriesOf({ cart, terms, pays: 'card', hasCourier: false, events }).flatMap((one) => one ?? []);
  const books = createTaxBooks();
  books.calculations.set(calculation.id, calculation);
  const service = createSimulatedTaxes(books, DIRECT, { name: 'test', isAlive: true, troubles: 0 });
  const recordId = await service.record({ calculationId: calculation.id, reference: 'ord_1' });
  for (const [nth, lines] of taxReversals(calculation, entries).entries())
    if (lines.length > 0) await service.reverse({ recordId, reference: `ord_1:${nth}`, lines });
  const record = books.records.get('ord_1') ?? assert.fail();
  const left = calculation.lines.map(({ subject }) => leftOf(books, record, subject));
  const leftCents = sumCents(left.map(({ taxCents }) => taxCents));
  // No service takes back a reversal, or reverses more than it has recorded.
  const ledgerCents = entries.map((_, nth) => sumCents(entries.slice(0, nth + 1).map(({ taxesCents }) => taxesCents)));
  assert.equal(leftCents, Math.max(0, Math.min(...ledgerCents)));
  if (life.order.status === 'canceled' && life.order.refundingCents === 0)
    assert.equal(sumCents(left.map(({ baseCents }) => baseCents)), 0);
}

const classes = fc.uniqueArray(
  fc.record({
    subject: fc.constantFrom('grocery', 'candy', 'alcohol', 'fee'),
    most: fc.integer({ min: 1, max: 9000 }),
    tax: fc.nat(900),
    sold: fc.nat(9000),
  }),
  { selector: ({ subject }) => subject, minLength: 1 },
);

test('a final weight below the calculated one reverses the difference per tax class, missing items included', () => {
  fc.assert(
    fc.property(classes, (all) => {
      const lines = all.map(({ subject, most, tax }) => ({ subject, baseCents: most, cents: [tax] }) as const);
      const taxLines = all.flatMap(({ subject, most, tax, sold }) => {
        const baseCents = Math.min(sold, most);
        const line = {
          name: 'State',
          taxClass: subject,
          baseCents,
          cents: Math.round((tax * baseCents) / most),
        } as const;
        return baseCents === 0 ? [] : [line];
      });
      const taxesCents = sumCents(taxLines.map(({ cents }) => cents));
      const parts = recordByName(TAXABLE_PARTS, (name) => (name === 'taxesCents' ? taxesCents : 0));
      const salesCents = sumCents(taxLines.map((line) => line.baseCents));
      const [reversed = []] = taxReversals({ lines }, [{ ...parts, salesCents, taxLines }]);
      for (const { subject, baseCents, cents } of lines) {
        const back = reversed.find((line) => line.subject === subject) ?? { baseCents: 0, taxCents: 0 };
        const kept = taxLines.find(({ taxClass }) => taxClass === subject) ?? { baseCents: 0, cents: 0 };
        assert.deepEqual(
          [baseCents - back.baseCents, sumCents(cents) - back.taxCents],
          [kept.baseCents, kept.cents],
          subject,
        );
      }
    }),
    { numRuns: runs(20_000, 1500) },
  );
});
