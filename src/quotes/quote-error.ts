/** The types of quote errors and the sentence of `quote.error` (docs/behaviour.md#quote-errors). */
export const QUOTE_ERROR_MESSAGES = {
  DELIVERY_NOT_AVAILABLE: 'Delivery is currently unavailable for this store.',
  PICKUP_NOT_AVAILABLE: 'Pickup is currently unavailable for this store.',
  STORE_CLOSED: 'This store is closed.',
  OUT_OF_RANGE: 'This store is out of range for the provided address.',
  STORE_NOT_AVAILABLE: 'This store is not available.',
} as const;

export type QuoteErrorType = keyof typeof QUOTE_ERROR_MESSAGES;
