import { present } from 'doorstep/collections';
import { Type } from 'typebox';
import { discountOn } from '../../ordering/order/shown-discounts.ts';
import { MAX_CODES } from '../../ordering/place/order-body.ts';
import { sumCents } from '../../platform/lib/money.ts';
import type { PricedPromotions } from '../../supply/pricing/price-order.ts';
import { type RejectedCode, type Rejection, rejectionInWords } from '../../supply/pricing/promotion.ts';
import { promotionTitle } from '../../supply/pricing/promotion-words.ts';
import { isCode, readCode } from '../../supply/promotions/promotion-code.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { Message } from './contract.ts';

/** Promotion codes in a shop's carts and checkouts, and their discounts (docs/ucp.md#discounts). */

/** The field of a request; an inapplicable code isn't a malformed one. */
export const Discounts = Type.Optional(
  Type.Object(
    { codes: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_CODES })) },
    { additionalProperties: true },
  ),
);

/** The codes that an order is priced with, from the codes that a platform sent. */
export const orderedCodes = (sent: readonly string[] = []): string[] => sent.filter(isCode).map(readCode);

/** The codes as the platform sent them, unless a person has changed them on the order's page. */
export const shownCodes = (sent: readonly string[], ordered: readonly string[]): readonly string[] =>
  orderedCodes(sent).join() === ordered.join() ? sent : ordered;

type Places = {
  /** The path in the response for a line of the order. */
  pathOfLine: (line: number) => string;
  /** Where the delivery fee stands; absent where it is not shown. */
  deliveryPath?: string;
};

/** The discounts of a response, whose allocations add up; undefined where there is nothing to say. */
export function presentDiscounts(
  codes: readonly string[],
  { discounts = [] }: PricedPromotions,
  { pathOfLine, deliveryPath }: Places,
  locale: Locale,
): object | undefined {
  const applied = discounts.flatMap((discount) => {
    const { code, parts } = discount;
    const delivery = { path: deliveryPath, amount: sumCents(parts.map(({ deliveryCents }) => deliveryCents)) };
    const lines = (parts[0]?.lineCents ?? []).map((_, line) => ({
      path: pathOfLine(line),
      amount: discountOn(discount, line),
    }));
    const allocations = [...lines, ...(deliveryPath === undefined ? [] : [delivery])].filter(
      ({ amount }) => amount > 0,
    );
    const amount = sumCents(allocations.map((one) => one.amount));
    if (amount === 0 && code === undefined) return [];
    const automatic = code === undefined ? true : undefined;
    return [{ title: promotionTitle(discount, locale), amount, ...present({ code, automatic }), allocations }];
  });
  return codes.length + applied.length === 0 ? undefined : { codes, applied };
}

/** Other codes are invalid. */
const WARNINGS: Readonly<Partial<Record<Rejection, string>>> = {
  first_order_only: 'discount_code_user_ineligible',
  already_used: 'discount_code_user_ineligible',
  used_up: 'discount_code_expired',
  better_offer_applied: 'discount_code_combination_disallowed',
  duplicate: 'discount_code_already_applied',
};

/** Why codes do not apply. A first order cannot be known of no one: who signs in may have it. */
export function codeWarnings(
  codes: readonly string[],
  { rejectedCodes = [] }: PricedPromotions,
  isUserKnown: boolean,
  { words, format }: Locale,
): Message[] {
  return codes.flatMap((sent, nth): Message[] => {
    const rejected = rejectionOf(sent, codes.slice(0, nth).map(readCode), rejectedCodes);
    if (!rejected) return [];
    const { reason } = rejected;
    const isNobody = reason === 'first_order_only' && !isUserKnown;
    const code = isNobody ? 'discount_code_user_not_logged_in' : (WARNINGS[reason] ?? 'discount_code_invalid');
    const content = rejectionInWords(words.checkout.promoCode, { ...rejected, code: sent }, isUserKnown, format);
    return [{ type: 'warning', code, path: `$.discounts.codes[${nth}]`, content }];
  });
}

function rejectionOf(
  sent: string,
  before: readonly string[],
  rejected: readonly RejectedCode[],
): RejectedCode | undefined {
  const code = readCode(sent);
  if (!isCode(sent)) return { code, reason: 'not_valid' };
  if (before.includes(code)) return { code, reason: 'duplicate' };
  return rejected.find((one) => one.code === code && one.reason !== 'duplicate');
}
