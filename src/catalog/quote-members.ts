import type { JsonPiece } from '../http/json-pieces.ts';
import { availableAt } from '../quotes/available-at.ts';
import { type QuoteQuestion, quoteFor } from '../quotes/quote.ts';
import { presentQuote } from '../quotes/quote-schema.ts';
import type { DeliveryFee } from '../stores/fees.ts';
import type { SlotList } from './slot-list.ts';

/**
 * The members `quote` and, beside a quote that has only `error`, `quote_error` of an answer
 * (docs/behaviour.md#quote-errors). `slotsWith` gives the windows with the fee of the quote, or the store's own.
 */
export function quoteMembers(
  question: Omit<QuoteQuestion, 'slots'>,
  slotsWith: (fee?: DeliveryFee) => SlotList,
): JsonPiece[] {
  const { store } = question;
  const list = slotsWith();
  const quote = quoteFor({ ...question, slots: list.slots });
  if (!('error' in quote)) return ['"quote":', ...presentQuote(quote, store, slotsWith(quote.deliveryFee))];
  const error = { code: quote.error, available_at: availableAt(quote, { ...question, fullStarts: list.fullStarts }) };
  return ['"quote":', ...presentQuote(quote, store, list), `,"quote_error":${JSON.stringify(error)}`];
}
