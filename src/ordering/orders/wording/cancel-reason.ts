import type { Locale } from '../../../texts/catalogs.ts';

/** The reason of a cancelation as a sentence for the customer. `reason` is a code, or free text of the store. */
export function cancelReasonInWords(reason: string | null, { words }: Locale): string {
  const sentences: Readonly<Record<string, string>> = words.customer.cancelReason;
  const code = reason || 'canceled_by_store';
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  if (known) return known;
  const text = code.replaceAll('_', ' ').trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
