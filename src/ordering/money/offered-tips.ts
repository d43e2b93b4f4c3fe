import { percentOf } from '../../platform/lib/money.ts';

/** The tips that an order's pages offer, and the amounts that people type. */

export const TIP_PERCENTS = [10, 15, 20] as const;

/** Percents of the items as the customer sees them. */
export function offeredTips(itemsCents: number): { percent: number; cents: number }[] {
  return TIP_PERCENTS.map((percent) => ({ percent, cents: percentOf(percent, itemsCents) }));
}

const MAX_AMOUNT_CHARACTERS = 50;
const AMOUNT = /^\$?\s*(?=[.,]?\d)(\d{0,6})(?:[.,](\d{0,2}))?\s*\$?$/;

/** Parses an amount with a point or a comma into cents: `12`, `12.5`, `,50`, `$12.50`. */
export function readAmount(text: string): number | undefined {
  if (text.length > MAX_AMOUNT_CHARACTERS) return undefined;
  const [, whole, cents = ''] = AMOUNT.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

/** Parses cents that the page has sent; undefined for anything else. */
export function centsIn(digits: string | undefined): number | undefined {
  const cents = /^\d{1,15}$/.test(digits ?? '') ? Number(digits) : undefined;
  return Number.isSafeInteger(cents) ? cents : undefined;
}
