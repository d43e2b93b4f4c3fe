import type { Language } from '../../platform/languages/language.ts';
import { decimalOfMilli, type Milli, toTenth } from '../../supply/pricing/weight.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { type FulfilledItem, fulfilledItems } from './fulfilled-items.ts';
import type { Order, OrderedWeight, ScaledWeight } from './order.ts';

/* An order in the words of its customer's language; its money is in words in ../money/receipt.ts. */

/** Returns the locale of an order's messages: the order's language, or the account's, and the store's country. */
export function orderLocale(
  { request, quote }: Pick<Order, 'request' | 'quote'>,
  { language }: { language: Language },
): Locale {
  return localeOf(request.customer.language ?? language, quote.store.country);
}

/** Writes the reason of a cancelation as a sentence for the customer. `reason` is a code, or free text of the store. */
export function cancelReasonInWords(reason: string | null, { words }: Locale): string {
  const sentences: Readonly<Record<string, string>> = words.customer.cancelReason;
  const code = reason || 'canceled_by_store';
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  if (known) return known;
  const text = code.replaceAll('_', ' ').trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** How much goods by weight weigh: `1.5 lb`, or `3 (about 1.1 lb)` of pieces until they are weighed. */
export function weightInWords(
  { unit, ordered, pieces }: Pick<OrderedWeight, 'unit' | 'ordered' | 'pieces'>,
  { words, format }: Locale,
  scaled?: Pick<ScaledWeight, 'milli'>,
): string {
  const inUnit = (milli: Milli) => format.weight(decimalOfMilli(milli), unit);
  if (scaled) return inUnit(scaled.milli);
  if (pieces === undefined) return inUnit(ordered);
  const weight = inUnit(toTenth(ordered));
  return words.customer.weight.pieces({ count: format.number(pieces), weight });
}

/** How much is handed off of an item, as lines begin: `2 ×`, or `1.62 lb` of goods by weight. */
export function amountInWords(
  { quantity, weight, scaled }: Pick<FulfilledItem, 'quantity' | 'weight' | 'scaled'>,
  locale: Locale,
  times = '×',
): string {
  return weight && quantity > 0 ? weightInWords(weight, locale, scaled) : `${quantity} ${times}`;
}

/**
 * Returns the store's change to an item, for the customer: `Only 1 of 3 available`, `Replaced with 2 × Tea`, `Ordered
 * 1.5 lb, weighed 1.62 lb`. Undefined for an item as ordered.
 */
export function itemChangeInWords(
  { name, quantity, orderedQuantity, replaces, weight, scaled }: FulfilledItem,
  locale: Locale,
): string | undefined {
  const { words, format } = locale;
  const { unavailable, fewer, replaced, replacedByFewer, replacedByWeight, weighed, atLimit } =
    words.customer.itemChange;
  if (weight && quantity > 0) {
    const shown = weightInWords(weight, locale, scaled);
    if (replaces) return replacedByWeight({ name, weight: shown });
    const how = scaled?.from === 'limit' ? atLimit : weighed;
    return scaled && how({ ordered: weightInWords(weight, locale), weight: shown });
  }
  const missing = orderedQuantity - quantity;
  const units = { quantity: format.number(quantity), ordered: format.number(orderedQuantity) };
  if (replaces !== null && missing > 0) return replacedByFewer({ ...units, name, missing: format.number(missing) });
  if (replaces !== null) return replaced({ ...units, name });
  if (missing === 0) return undefined;
  return quantity === 0 ? unavailable : fewer(units);
}

/** Lists changes of the items of an order, in the order of the order. */
export function itemChanges(order: Pick<Order, 'quote' | 'adjustments'>, locale: Locale): (string | undefined)[] {
  return fulfilledItems(order).map((item) => itemChangeInWords(item, locale));
}
