import { percentOf } from '../../src/platform/lib/money.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import type {
  ReversedLine,
  TaxCalculation,
  TaxCalculator,
  TaxSubject,
} from '../../src/supply/pricing/tax-calculator.ts';
import type { Calls } from './outside-party.ts';
import type { Owner } from './scheduler.ts';

export type SimulatedRecord = { recordId: string; reference: string; calculation: TaxCalculation };
export type SimulatedReversal = {
  reversalId: string;
  recordId: string;
  reference: string;
  lines: readonly ReversedLine[];
};
/** A tax service's books; they outlive every node. */
export type TaxBooks = {
  calculations: Map<string, TaxCalculation>;
  records: Map<string, SimulatedRecord>;
  reversals: Map<string, SimulatedReversal>;
  /** Added to each tax, so that it is not taken for the store's own. */
  surplusCents: number;
};

export const createTaxBooks = (surplusCents = 0): TaxBooks => {
  return { calculations: new Map(), records: new Map(), reversals: new Map(), surplusCents };
};

const PARTY = 'tax service';
const PERCENT = 8.875;
const UNTAXED: readonly TaxSubject[] = ['grocery', 'exempt'];

const refused = (message: string) => new OutsideError(PARTY, message, { retryable: false });
const unanswered = () => new OutsideError(PARTY, 'The tax service did not answer.', { retryable: true });

/** A node's connection to the simulated tax service of live keys. Fulfills the port's contract. */
export function createSimulatedTaxes(books: TaxBooks, calls: Calls, owner: Owner): TaxCalculator {
  const ask = <Answer>(what: string, effect: () => Answer) =>
    calls.call({
      owner,
      party: PARTY,
      what,
      effect,
      failure: unanswered,
      faults: ['lost_before', 'lost_after', 'late'],
    });
  return {
    calculate: ({ lines }) =>
      ask('calculate', () => {
        const id = `calc_${books.calculations.size + 1}`;
        const calculation: TaxCalculation = {
          id,
          taxes: [{ name: 'Sales tax', percent: PERCENT }],
          lines: lines.map(({ subject, cents }) => {
            const taxCents = UNTAXED.includes(subject) ? 0 : percentOf(PERCENT, cents) + books.surplusCents;
            return { subject, baseCents: cents, cents: [taxCents] };
          }),
        };
        books.calculations.set(id, calculation);
        return calculation;
      }),
    record: (sale) => ask(`record ${sale.reference}`, () => record(books, sale)),
    reverse: (reversal) => ask(`reverse ${reversal.reference}`, () => reverse(books, reversal)),
  };
}

function record(books: TaxBooks, { calculationId, reference }: Parameters<TaxCalculator['record']>[0]): string {
  const known = books.records.get(reference);
  if (known && known.calculation.id !== calculationId) throw refused('This reference is of another sale.');
  if (known) return known.recordId;
  const calculation = books.calculations.get(calculationId);
  if (!calculation) throw refused('There is no such calculation.');
  const recordId = `record_${books.records.size + 1}`;
  books.records.set(reference, { recordId, reference, calculation });
  return recordId;
}

function reverse(books: TaxBooks, { recordId, reference, lines }: Parameters<TaxCalculator['reverse']>[0]): string {
  const known = books.reversals.get(reference);
  if (known) return known.reversalId;
  const sale = [...books.records.values()].find((one) => one.recordId === recordId);
  if (!sale) throw refused('There is no such record.');
  for (const line of lines) {
    const left = leftOf(books, sale, line.subject);
    if (line.baseCents > left.baseCents || line.taxCents > left.taxCents) throw refused('That is more than is left.');
  }
  const reversalId = `reversal_${books.reversals.size + 1}`;
  books.reversals.set(reference, { reversalId, recordId, reference, lines });
  return reversalId;
}

type Left = { baseCents: number; taxCents: number };

/** What is left of a line of a record after its reversals. */
export function leftOf(books: TaxBooks, { recordId, calculation }: SimulatedRecord, subject: TaxSubject): Left {
  const line = calculation.lines.find((one) => one.subject === subject);
  const reversed = [...books.reversals.values()]
    .filter((one) => one.recordId === recordId)
    .flatMap(({ lines }) => lines)
    .filter((one) => one.subject === subject);
  return reversed.reduce(
    (left, { baseCents, taxCents }) => ({ baseCents: left.baseCents - baseCents, taxCents: left.taxCents - taxCents }),
    { baseCents: line?.baseCents ?? 0, taxCents: line?.cents.reduce((sum, cents) => sum + cents, 0) ?? 0 },
  );
}
