const SENTENCES: Readonly<Record<string, string>> = {
  canceled_by_store: 'The store canceled it.',
  store_did_not_confirm: 'The store did not confirm it in time.',
  not_placed_in_time: 'Your payment took too long, so it was never sent to the store.',
  out_of_stock: 'The store has run out of something you ordered.',
  item_unavailable: 'The store has run out of something you ordered.',
  store_closed: 'The store is closed.',
  closed: 'The store is closed.',
  too_busy: 'The store is too busy at the moment.',
  no_driver: 'No driver was available.',
  courier_gave_up: 'The courier could not bring it to you.',
  customer_request: 'You asked for it.',
  canceled_by_account: 'It was canceled on your behalf.',
  canceled_by_customer: 'You canceled it.',
};

/** The reason of a cancelation as a sentence for the customer; `reason` is a code or free text. */
export function cancelReasonInWords(reason: string | null): string {
  if (!reason) return SENTENCES.canceled_by_store ?? '';
  const known = Object.hasOwn(SENTENCES, reason) ? SENTENCES[reason] : undefined;
  if (known) return known;
  const words = reason.replaceAll('_', ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}
