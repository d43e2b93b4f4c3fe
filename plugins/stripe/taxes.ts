import type { OrderToTax, TaxCalculation, TaxCalculator, TaxClass } from 'doorstep/plugin';
import { splitInProportion, sumCents, UNNAMED_TAX } from 'doorstep/plugin';
import type Stripe from 'stripe';
import { acceptedOf } from './cards.ts';
import { callStripe, fail, openStripe, refused, type StripeOptions, stripeId, unreadable } from './client.ts';

/** A customer waits for the calculation, and a job repeats the other calls. */
const TIMEOUT_MS = 3000;

/** Stripe's product tax codes (docs/taxes.md#stripe-tax). Fees take the code of the order's largest part. */
const TAX_CODES: Readonly<Record<TaxClass, string>> = {
  prepared_food: 'txcd_40060003',
  grocery: 'txcd_40040000',
  candy: 'txcd_40100001',
  soft_drink: 'txcd_41040002',
  alcohol: 'txcd_41020003',
  supplement: 'txcd_40090001',
  general: 'txcd_99999999',
  exempt: 'txcd_00000000',
};

/** Stripe Tax. A reference of a record is also the idempotency key of its call. */
export function createStripeTaxes(options: StripeOptions): TaxCalculator {
  const stripe = openStripe({ timeoutMs: TIMEOUT_MS, ...options });
  const { calculations, transactions } = stripe.tax;
  return {
    async calculate(order) {
      return readCalculation(order, acceptedOf(await callStripe(() => calculations.create(calculationOf(order)))));
    },
    async record({ calculationId: calculation, reference }) {
      const once = { idempotencyKey: `tax:${reference}` };
      const made = await callStripe(() => transactions.createFromCalculation({ calculation, reference }, once));
      return stripeId(acceptedOf(made));
    },
    async reverse({ recordId, reference, lines }) {
      const listed = acceptedOf(await callStripe(() => transactions.listLineItems(recordId, { limit: 100 })));
      const ids = new Map(listed.data.map((line) => [line.reference, stripeId(line)]));
      const wanted: Stripe.Tax.TransactionCreateReversalParams = {
        mode: 'partial',
        original_transaction: recordId,
        reference,
        line_items: lines.map(({ subject, baseCents, taxCents }) => ({
          original_line_item: ids.get(subject) ?? fail(refused(`Stripe's record lacks ${subject}.`)),
          reference: `${reference}:${subject}`,
          amount: 0 - baseCents,
          amount_tax: 0 - taxCents,
        })),
      };
      const once = { idempotencyKey: `tax:${reference}` };
      return stripeId(acceptedOf(await callStripe(() => transactions.createReversal(wanted, once))));
    },
  };
}

function calculationOf({ address, lines }: OrderToTax): Stripe.Tax.CalculationCreateParams {
  const { street: line1, city, state, zipcode: postal_code, country } = address;
  const classes = lines.flatMap(({ subject, cents }) => (subject === 'fee' ? [] : [{ taxClass: subject, cents }]));
  const main = classes.toSorted((one, other) => other.cents - one.cents)[0]?.taxClass ?? 'general';
  return {
    currency: country === 'CA' ? 'cad' : 'usd',
    customer_details: { address: { line1, city, state, postal_code, country }, address_source: 'shipping' },
    line_items: lines.map(({ subject, cents: amount }) => {
      const tax_code = TAX_CODES[subject === 'fee' ? main : subject];
      return { amount, reference: subject, tax_behavior: 'exclusive', tax_code };
    }),
    expand: ['line_items.data.tax_breakdown'],
  };
}

type Taxed = NonNullable<Stripe.Tax.CalculationLineItem['tax_breakdown']>;
const ofName = (taxed: Taxed, name: string) =>
  taxed.filter(({ tax_rate_details: rate }) => rate?.display_name === name);

/** The taxes by name, where Stripe has them by line and jurisdiction; their percents are the highest of a line. */
function readCalculation({ lines: requested }: OrderToTax, calculation: Stripe.Tax.Calculation): TaxCalculation {
  const read = requested.map(({ subject, cents: baseCents }) => {
    const line = calculation.line_items?.data.find(({ reference }) => reference === subject);
    if (line?.amount !== baseCents || !(line.amount_tax >= 0)) throw unreadable(`tax of ${subject}`);
    return { subject, baseCents, taxCents: line.amount_tax, taxed: line.tax_breakdown ?? [] };
  });
  const taxCents = sumCents(read.map((line) => line.taxCents));
  if (taxCents !== calculation.tax_amount_exclusive) throw unreadable('sum of taxes');
  const all = read.flatMap(({ taxed }) => taxed);
  const named = [...new Set(all.flatMap(({ tax_rate_details: rate }) => rate?.display_name ?? []))];
  const names = named.length > 0 ? named : [UNNAMED_TAX];
  const percentOn = (taxed: Taxed) =>
    taxed.reduce((sum, { tax_rate_details: rate }) => sum + Number(rate?.percentage_decimal), 0);
  return {
    id: stripeId({ id: calculation.id ?? '' }),
    taxes: names.map((name) => {
      const percents = read.map(({ taxed }) => percentOn(ofName(taxed, name)));
      return { name, percent: Number(Math.max(...percents).toFixed(6)) };
    }),
    lines: read.map(({ subject, baseCents, taxCents: cents, taxed }) => {
      const amounts = names.map((name) => sumCents(ofName(taxed, name).map(({ amount }) => amount)));
      return { subject, baseCents, cents: splitInProportion(cents, amounts) };
    }),
  };
}
