import type { Language } from '../../../platform/languages/language.ts';
import { type Locale, localeOf } from '../../../texts/catalogs.ts';
import type { Order } from '../order.ts';

/** The locale of an order's messages: the language of the order, else of its account, and the country of its store. */
export function orderLocale(
  { request, quote }: Pick<Order, 'request' | 'quote'>,
  { language }: { language: Language },
): Locale {
  return localeOf(request.customer.language ?? language, quote.store.country);
}
