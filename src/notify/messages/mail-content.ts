import type { Receipt } from '../../ordering/money/receipt.ts';
import type { Locale } from '../../texts/catalogs.ts';

/** The content of an email before it is rendered as HTML or plain text. None of it is escaped yet. */
export type MailContent = {
  locale: Locale;
  /** Name and logo in the header, and the color (`#rrggbb`); without a color, the service's. */
  brand: { name: string; logoUrl: string | undefined; color?: string | undefined };
  subject: string;
  headline: string;
  /** Paragraphs below the headline. */
  lead: readonly string[];
  /** Link for tracking the order. */
  link: { label: string; url: string };
  facts: readonly MailFact[];
  receipt: Receipt | undefined;
  /** Where the account's customers get help. */
  help?: readonly HelpLink[];
  foot: readonly string[];
};

/** A help link: its text, and its URL, which is a page, `mailto:` or `tel:`. */
export type HelpLink = { words: string; href: string };

/** A labeled fact of one or more lines, such as the store's name, address and phone number. */
export type MailFact = { label: string; lines: readonly string[]; phone?: number | null };

/** Returns the total after all refunds. */
export function afterRefunds({ totalCents, refunds }: Pick<Receipt, 'totalCents' | 'refunds'>): number {
  return refunds.reduce((left, { cents }) => left + cents, totalCents);
}

/** The unit price that an item's line shows: `$2.50 each`, `$8.99/lb`. */
export function unitPriceInWords(
  { quantity, unitCents, weightPrice }: Receipt['items'][number],
  { words, format }: Locale,
): string | undefined {
  return quantity > 1 ? words.customer.receipt.each({ price: format.money(unitCents) }) : weightPrice;
}
