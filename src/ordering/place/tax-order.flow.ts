import type { Caller } from '../../access/accounts/account.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { chargedTaxes, withinOrderLimit } from '../../supply/pricing/price-order.ts';
import { calculatedTaxes, type OrderToTax, subjectsOf } from '../../supply/pricing/tax-calculator.ts';
import { readRegion } from '../../supply/stores/region.ts';
import type { Store } from '../../supply/stores/store.ts';
import { writeStreet } from '../../supply/stores/street-address.ts';
import type { FrozenCalculation, FrozenQuote, OrderRequest } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { taxationOf } from '../order/reprice-order.ts';
import { priceHeaviest } from '../order/weighed-order.ts';

export type TaxOrderDeps = Pick<OrderDeps, 'clock' | 'config' | 'log' | 'taxes'>;

/** Rates change at midnight, and a service forgets its calculations after days. */
const REUSE_SECONDS = 24 * 3600;
const RETRY_SECONDS = 5;

/**
 * The quote of a live order with the taxes of the outside service, where there is one. Without its response the quote
 * as it is, or `tax_unavailable`, as TAX_FALLBACK says. Taxes of goods by weight are computed at their heaviest; the
 * estimate and the final order bear a part of them. The calculation of `earlier`, the order's quote until now, is used
 * again for the same goods, fees and address, so that a total stays as it was shown.
 */
export async function taxOrder(
  { taxes, config, clock, log }: TaxOrderDeps,
  caller: Caller,
  { request, store, quote }: { request: OrderRequest; store: Store; quote: FrozenQuote },
  earlier: FrozenQuote | undefined,
): Promise<FrozenQuote> {
  if (!taxes || caller.mode !== 'live') return quote;
  const { lines, fees } = priceHeaviest(quote);
  const order: OrderToTax = { address: taxAddress(request, store), lines: subjectsOf(lines, fees) };
  if (order.lines.length === 0) return quote;
  const question = sha256(JSON.stringify(order)).toString('base64url');
  const epochS = epochSeconds(clock.now());
  const known = earlier?.taxCalculation;
  if (known?.question === question && epochS - known.epochS < REUSE_SECONDS) return withCalculation(quote, known);
  try {
    return withCalculation(quote, { ...(await taxes.calculate(order)), question, epochS });
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    log.warn({ err: error, fallback: config.taxFallback }, 'the tax service did not compute an order');
    if (config.taxFallback === 'built-in') return quote;
    const sentence = "The order's taxes can't be calculated right now. Send the same request again.";
    throw new Refusal('tax_unavailable', sentence, retryAfter(RETRY_SECONDS));
  }
}

/** The door; the store for a pickup, and for a quote that lacks the address of its door. */
function taxAddress({ mode, customer }: OrderRequest, { address }: Store): OrderToTax['address'] {
  const { country } = address;
  const isAtStore = mode === 'pickup' || customer.zipcode === '';
  const { city, state, zipcode } = isAtStore ? address : customer;
  const street = isAtStore ? address.streetAddr : writeStreet(customer);
  return { street, city, state: readRegion(state, country) ?? state, zipcode, country };
}

/** The quote with these taxes in place of its own; every other amount stays. */
function withCalculation(quote: FrozenQuote, calculation: FrozenCalculation): FrozenQuote {
  const { lines, fees } = taxationOf({ quote, adjustments: [] });
  const { taxes, shares } = calculatedTaxes(calculation, lines, fees);
  const { taxes: charged, addedTaxes: added } = chargedTaxes(taxes, lines);
  const salesTaxCents = sumCents(charged.map(({ cents }) => cents));
  const addedTaxCents = sumCents(added.map(({ cents }) => cents));
  const { addedFee, terms } = quote;
  const moreCents = salesTaxCents - quote.salesTaxCents;
  const totalCents = quote.totalWithTipCents + moreCents + addedTaxCents - addedFee.salesTaxCents;
  return {
    ...quote,
    salesTaxCents,
    taxes: charged,
    taxShares: shares,
    totalWithoutTipsCents: quote.totalWithoutTipsCents + moreCents,
    addedFee: { ...addedFee, salesTaxCents: addedTaxCents, taxes: added },
    totalWithTipCents: withinOrderLimit(totalCents),
    terms: { ...terms, fees: { ...terms.fees, taxes: calculation.taxes } },
    taxCalculation: calculation,
  };
}
