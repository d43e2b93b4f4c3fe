import type { Nested } from '../contracts/stripe-contract.ts';
import { type Answer, apiError, type Books, CREATED, nextId, ok } from './stripe-books.ts';

type TaxLine = { id: string; reference: string; amount: number; amount_tax: number; tax_code: string };
export type StripeCalculation = {
  id: string;
  address: Nested;
  tax_date: number;
  lines: (TaxLine & { rates: Rate[] })[];
};
export type StripeTransaction = {
  id: string;
  reference: string;
  type: 'transaction' | 'reversal';
  calculation: StripeCalculation;
  original: string | null;
  lines: (TaxLine & { original_line_item: string | null })[];
};

type Rate = { name: string; jurisdiction: string; level: 'city' | 'country' | 'state'; percent: string };

const US_STATE = (state: string, percent: string): Rate => {
  return { name: 'Sales Tax', jurisdiction: state, level: 'state', percent };
};
const NEW_YORK: Rate[] = [
  US_STATE('New York', '4'),
  { name: 'Sales Tax', jurisdiction: 'New York City', level: 'city', percent: '4.875' },
];
/** A state that taxes groceries less than other goods. */
const REDUCED: Readonly<Record<string, string>> = { txcd_40040000: '1' };
const QUEBEC: Rate[] = [
  { name: 'GST', jurisdiction: 'Canada', level: 'country', percent: '5' },
  { name: 'QST', jurisdiction: 'Quebec', level: 'state', percent: '9.975' },
];
const UNTAXED_FOOD = new Set(['txcd_40040000', 'txcd_00000000']);

/** Made up but for their shape: what is due in a state on a code. */
function ratesOf({ state }: Nested, code: string): Rate[] {
  if (state === 'MO') return [US_STATE('Missouri', REDUCED[code] ?? '4.225')];
  if (UNTAXED_FOOD.has(code)) return [];
  return state === 'QC' ? QUEBEC : state === 'NY' ? NEW_YORK : [];
}

const taxOn = (amount: number, { percent }: Rate) => Math.round((amount * Number(percent)) / 100);

export function createCalculation(books: Books, form: Nested): Answer {
  const { address } = form.customer_details as { address: Nested };
  if (!/^[\d ]{5}|^[A-Z]\d[A-Z]/.test(String(address.postal_code))) {
    return apiError(400, { code: 'customer_tax_location_invalid', param: 'customer_details[address]' });
  }
  const lines = Object.values(form.line_items as Nested).map((given) => {
    const { amount, reference, tax_code } = given as Record<string, string>;
    const rates = ratesOf(address, tax_code ?? '');
    const amount_tax = rates.reduce((sum, rate) => sum + taxOn(Number(amount), rate), 0);
    const id = nextId(books, 'tax_li');
    return { id, reference: reference ?? '', amount: Number(amount), amount_tax, tax_code: tax_code ?? '', rates };
  });
  const tax_date = Number(form.tax_date ?? CREATED);
  const calculation = { id: nextId(books, 'taxcalc'), address, tax_date, lines };
  books.calculations.push(calculation);
  return ok(presentCalculation(calculation, String(form.currency)));
}

function presentCalculation({ id, address, lines, tax_date }: StripeCalculation, currency: string) {
  const taxes = lines.reduce((sum, { amount_tax }) => sum + amount_tax, 0);
  return {
    id,
    object: 'tax.calculation',
    livemode: true,
    amount_total: lines.reduce((sum, { amount }) => sum + amount, taxes),
    currency,
    customer_details: customerOf(address),
    tax_amount_exclusive: taxes,
    tax_amount_inclusive: 0,
    tax_breakdown: [],
    tax_date,
    line_items: {
      object: 'list',
      url: `/v1/tax/calculations/${id}/line_items`,
      has_more: false,
      data: lines.map(({ rates, ...line }) => ({
        ...presentLine(line, 'tax.calculation_line_item'),
        tax_breakdown: rates.map((rate) => presentBreakdown(line.amount, rate)),
      })),
    },
  };
}

const customerOf = (address: Nested) => ({
  address,
  address_source: 'shipping',
  ip_address: null,
  tax_ids: [],
  taxability_override: 'none',
});

function presentLine({ id, reference, amount, amount_tax, tax_code }: TaxLine, object: string) {
  return {
    id,
    object,
    livemode: true,
    reference,
    amount,
    amount_tax,
    tax_code,
    quantity: 1,
    tax_behavior: 'exclusive',
  };
}

function presentBreakdown(amount: number, rate: Rate) {
  const { name, jurisdiction, level, percent } = rate;
  return {
    amount: taxOn(amount, rate),
    taxable_amount: amount,
    sourcing: 'destination',
    taxability_reason: 'standard_rated',
    jurisdiction: { country: level === 'country' ? 'CA' : 'US', display_name: jurisdiction, level, state: null },
    tax_rate_details: { display_name: name, percentage_decimal: percent, tax_type: 'sales_tax' },
  };
}

const isTaken = (books: Books, reference: unknown) => books.transactions.some((one) => one.reference === reference);

export function createTransaction(books: Books, { calculation: id, reference }: Nested): Answer {
  const calculation = books.calculations.find((one) => one.id === id);
  if (!calculation) return apiError(404, { code: 'resource_missing' });
  if (isTaken(books, reference)) return apiError(400, { code: 'resource_already_exists', param: 'reference' });
  const lines = calculation.lines.map((line) => ({ ...line, id: nextId(books, 'tax_li'), original_line_item: null }));
  return keep(books, { reference: String(reference), type: 'transaction', calculation, original: null, lines });
}

export function createReversal(books: Books, form: Nested): Answer {
  const { original_transaction: id, reference, line_items: given = {} } = form;
  const original = books.transactions.find((one) => one.id === id);
  if (!original || typeof given === 'string') return apiError(404, { code: 'resource_missing' });
  if (isTaken(books, reference)) return apiError(400, { code: 'resource_already_exists', param: 'reference' });
  const lines = Object.values(given).map((one) => {
    const { amount, amount_tax, original_line_item = '', reference: own = '' } = one as Record<string, string>;
    const tax_code = original.lines.find((line) => line.id === original_line_item)?.tax_code ?? '';
    const amounts = { amount: Number(amount), amount_tax: Number(amount_tax) };
    return { id: nextId(books, 'tax_li'), reference: own, ...amounts, tax_code, original_line_item };
  });
  const tooMuch = lines.some(({ original_line_item, amount, amount_tax }) => {
    const line = original.lines.find((one) => one.id === original_line_item);
    const left = leftOf(books, original_line_item);
    return !line || amount > 0 || amount_tax > 0 || left.amount + amount < 0 || left.amount_tax + amount_tax < 0;
  });
  if (tooMuch || form.mode !== 'partial') return apiError(400, { param: 'line_items' });
  const { calculation } = original;
  return keep(books, { reference: String(reference), type: 'reversal', calculation, original: original.id, lines });
}

/** What is left of a line of a transaction after its reversals. */
export function leftOf(books: Pick<Books, 'transactions'>, lineId: string): { amount: number; amount_tax: number } {
  const own = books.transactions
    .flatMap(({ lines }) => lines)
    .filter(({ id, original_line_item }) => id === lineId || original_line_item === lineId);
  const sum = (name: 'amount' | 'amount_tax') => own.reduce((total, line) => total + line[name], 0);
  return { amount: sum('amount'), amount_tax: sum('amount_tax') };
}

function keep(books: Books, made: Omit<StripeTransaction, 'id'>): Answer {
  const transaction = { ...made, id: nextId(books, 'tax') };
  books.transactions.push(transaction);
  const { id, reference, type, original, calculation } = transaction;
  return ok({
    id,
    object: 'tax.transaction',
    currency: 'usd',
    customer_details: customerOf(calculation.address),
    metadata: null,
    reference,
    reversal: original === null ? null : { original_transaction: original },
    tax_date: calculation.tax_date,
    type,
  });
}

export function listTransactionLines(books: Books, id: string): Answer {
  const found = books.transactions.find((one) => one.id === id);
  if (!found) return apiError(404, { code: 'resource_missing' });
  const { lines, type } = found;
  const data = lines.map((line) => ({ ...presentLine(line, 'tax.transaction_line_item'), type }));
  return { status: 200, body: { object: 'list', url: `/v1/tax/transactions/${id}/line_items`, has_more: false, data } };
}
