/** How a customer wants the party chosen that delivers (docs/behaviour.md#parties-and-zones); the first is the default. */
export const QUOTE_PREFERENCES = ['first_available', 'first_party', 'cheapest', 'fastest'] as const;

export type QuotePreference = (typeof QUOTE_PREFERENCES)[number];
