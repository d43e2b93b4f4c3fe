import type { Receipt } from '../../ordering/orders/wording/receipt.ts';
import type { Locale } from '../../platform/languages/catalogs.ts';

/** The content of an email, before it is written as HTML or plain text. Nothing in it is escaped. */
export type MailContent = {
  locale: Locale;
  /** The account's name and logo at the head, and its color (`#rrggbb`); without one the service's. */
  brand: { name: string; logoUrl: string | undefined; color?: string | undefined };
  subject: string;
  headline: string;
  /** Paragraphs below the headline. */
  lead: readonly string[];
  /** Where the order can be followed. */
  link: { label: string; url: string };
  facts: readonly MailFact[];
  receipt: Receipt | undefined;
  /** Where the account's customers get help. */
  help?: readonly HelpLink[];
  /** Lines at the foot. */
  foot: readonly string[];
};

/** A help link with its text and its address, which is a page, `mailto:` or `tel:`. */
export type HelpLink = { words: string; href: string };

/** A labeled line or lines, such as the store's name, address and phone number. */
export type MailFact = { label: string; lines: readonly string[]; phone?: number | null };

/** What the customer has paid in the end. */
export function afterRefunds({ totalCents, refunds }: Pick<Receipt, 'totalCents' | 'refunds'>): number {
  return refunds.reduce((left, { cents }) => left + cents, totalCents);
}

/** Whether an item's line must show the price of one unit. */
export function needsUnitPrice(item: Receipt['items'][number]): boolean {
  return item.quantity > 1;
}
