import type { Language } from '../../platform/languages/language.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { type FulfilledItem, fulfilledItems } from './fulfilled-items.ts';
import type { Order } from './order.ts';

/* An order in the words of its customer's language; its money is in words in ../money/receipt.ts. */

/** Returns the locale of an order's messages: the language of order, else account, and the country of the store. */
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

/**
 * Returns the store's change to an item that it lacks, for the customer: `Only 1 of 3 available`, `Replaced with 2 ×
 * Tea`. Undefined for an item as ordered.
 */
export function itemChangeInWords(
  { name, quantity, orderedQuantity, replaces }: FulfilledItem,
  { words, format }: Locale,
): string | undefined {
  const { unavailable, fewer, replaced, replacedByFewer } = words.customer.itemChange;
  const missing = orderedQuantity - quantity;
  const units = { quantity: format.number(quantity), ordered: format.number(orderedQuantity) };
  if (replaces !== null && missing > 0) return replacedByFewer({ ...units, name, missing: format.number(missing) });
  if (replaces !== null) return replaced({ ...units, name });
  if (missing === 0) return undefined;
  return quantity === 0 ? unavailable : fewer(units);
}

/** Lists changes of the items of an order, in the sequence of the order. */
export function itemChanges(order: Pick<Order, 'quote' | 'adjustments'>, locale: Locale): (string | undefined)[] {
  return fulfilledItems(order).map((item) => itemChangeInWords(item, locale));
}
