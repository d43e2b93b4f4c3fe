import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { cents, component, text } from '../../platform/http/api-components.ts';
import { DEFAULT_LANGUAGE } from '../../platform/languages/language.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { type Discount, PAYERS, SLOTS } from '../../supply/pricing/promotion.ts';
import { promotionTitle } from '../../supply/pricing/promotion-words.ts';
import { centsOf, discountCentsOf } from '../../supply/pricing/promotions.ts';
import { presentRejectedCodes, RejectedCodes } from '../../supply/promotions/rejected-codes.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import type { Customer, FrozenQuote } from './order.ts';

/*
 * An order's discounts as they are shown (docs/promotions.md): all of them to the account and its customer, and to a
 * store its own share. Members are absent without discounts.
 */

const DiscountSchema = component('Discount', 'A discount on an order, and who pays for it.', {
  promotion_id: text('`waived`: the total is too small to charge.'),
  slot: Type.Enum([...SLOTS, 'waived'], {
    description:
      "Up to one promotion of each type applies. `waived`: the total was below the card gateway's minimum, so nothing is charged and the operator pays it.",
  }),
  title: text("The promotion's title, or a description of it, in the customer's language."),
  code: Type.Optional(text('Absent if the promotion needs no code.')),
  amount: cents("The discount's total amount."),
  paid_by: Type.Array(Type.Object({ payer: Type.Enum([...PAYERS]), amount: cents('') })),
  lines: Type.Array(Type.Object({ index: Type.Integer(), amount: cents('') }), {
    description: 'The discounted items by their position in the order. Fixed once the order is placed.',
  }),
  delivery_amount: cents('The part taken off the delivery fee.'),
});

/** Members of a quote. */
export const DISCOUNT_MEMBERS = {
  discount_cents: Type.Optional(
    cents(
      'The sum of `discounts`, plus the cost of items sold by weight above the maximum that the customer pays. Absent if zero.',
    ),
  ),
  discounts: Type.Optional(Type.Array(DiscountSchema, { description: 'By slot. Absent if there are none.' })),
  rejected_codes: Type.Optional(RejectedCodes),
};

export const ITEM_DISCOUNT_MEMBERS = {
  discount_cents: Type.Optional(cents('The discount on all units. Absent if there is none.')),
  list_unit_price: Type.Optional(
    cents('The regular price of one. Present only if the product is on sale at `unit_price`.'),
  ),
};

const StoreDiscountSchema = Type.Object({ title: Type.String(), amount: cents('The part that the store pays.') });

/** Fields of a store's view. */
export const STORE_DISCOUNT_MEMBERS = {
  discount_cents: Type.Optional(cents('The discount that the store pays. Absent if there is none.')),
  discounts: Type.Optional(Type.Array(StoreDiscountSchema, { description: 'Absent if the store pays no discount.' })),
};

const DiscountMembers = Type.Object(DISCOUNT_MEMBERS);
const ItemMembers = Type.Object(ITEM_DISCOUNT_MEMBERS);
const StoreMembers = Type.Object(STORE_DISCOUNT_MEMBERS);

export type QuotedFor = { quote: FrozenQuote; request: { customer: Pick<Customer, 'language'> } };

const localeFor = ({ quote, request }: QuotedFor): Locale =>
  localeOf(request.customer.language ?? DEFAULT_LANGUAGE, quote.store.country);

/** A discount's reduction of a line, by all its payers. */
export const discountOn = ({ parts }: Discount, line: number): number =>
  sumCents(parts.map(({ lineCents }) => lineCents[line] ?? 0));

/** The reduction of a line by slots. */
export const lineDiscountCents = ({ discounts = [] }: Pick<FrozenQuote, 'discounts'>, line: number): number =>
  sumCents(discounts.map((one) => discountOn(one, line)));

export function presentDiscounts(order: QuotedFor): Static<typeof DiscountMembers> {
  const { discounts, discountCents, rejectedCodes, items } = order.quote;
  return present({
    discount_cents: discountCents,
    discounts: discounts?.map((one) => ({
      promotion_id: one.promotionId,
      slot: one.slot === 'menu' ? ('store' as const) : one.slot,
      title: promotionTitle(one, localeFor(order)),
      ...present({ code: one.code }),
      amount: discountCentsOf(one),
      paid_by: one.parts.map((part) => ({ payer: part.payer, amount: centsOf(part) })),
      lines: items.flatMap((_, index) => {
        const amount = discountOn(one, index);
        return amount === 0 ? [] : [{ index, amount }];
      }),
      delivery_amount: sumCents(one.parts.map(({ deliveryCents }) => deliveryCents)),
    })),
    rejected_codes: rejectedCodes && presentRejectedCodes(rejectedCodes),
  });
}

export const presentItemDiscount = (quote: FrozenQuote, line: number): Static<typeof ItemMembers> =>
  present({
    discount_cents: lineDiscountCents(quote, line) || undefined,
    list_unit_price: quote.items[line]?.listPriceCents ?? quote.items[line]?.listUnitCents,
  });

/** A quote at its store's list prices, less the store's own discounts. */
export function ofStore(quote: FrozenQuote): {
  subtotalCents: number;
  discountCents: number;
  totalWithoutTipsCents: number;
} {
  const subtotalCents = sumCents(
    quote.items.map(({ unitCents, listUnitCents = unitCents, quantity }) => listUnitCents * quantity),
  );
  const discountCents = sumCents(ownDiscounts(quote).map(({ cents: own }) => own));
  const atMenu = quote.totalWithoutTipsCents + (quote.discountCents ?? 0) - quote.subtotalCents;
  return { subtotalCents, discountCents, totalWithoutTipsCents: atMenu + subtotalCents - discountCents };
}

function ownDiscounts({ menuDiscounts = [], discounts = [] }: FrozenQuote) {
  return [...menuDiscounts, ...discounts].flatMap((discount) => {
    const own = sumCents(discount.parts.filter(({ payer }) => payer === 'store').map(centsOf));
    return own === 0 ? [] : [{ discount, cents: own }];
  });
}

export function presentStoreDiscounts(order: QuotedFor): Static<typeof StoreMembers> {
  const own = ownDiscounts(order.quote);
  if (own.length === 0) return {};
  return {
    discount_cents: ofStore(order.quote).discountCents,
    discounts: own.map(({ discount, cents: amount }) => ({
      title: promotionTitle(discount, localeFor(order)),
      amount,
    })),
  };
}

type Line = { label: string; cents: number };

/** A row of a receipt for a promotion; its cents are below zero. */
export function discountRow(discount: Discount, locale: Locale): Line {
  const title = promotionTitle(discount, locale);
  const label = discount.code === undefined ? title : `${title} · ${discount.code}`;
  return { label, cents: -discountCentsOf(discount) };
}

/** The rows of all promotions, and of the excess of items by weight over the maximum charge. */
export function discountRows({ discounts = [], discountCents = 0 }: FrozenQuote, locale: Locale): Line[] {
  const overCents = discountCents - sumCents(discounts.map(discountCentsOf));
  const over = { label: locale.words.customer.weight.aboveMost, cents: -overCents };
  return [...discounts.map((one) => discountRow(one, locale)), ...(overCents === 0 ? [] : [over])];
}

/** A receipt's lines about an item's discounts, for each and each payer: `-$2.50 · WELCOME5 · paid by …`. */
export function itemDiscountLines(
  { discounts = [], items }: Pick<FrozenQuote, 'discounts' | 'items'>,
  line: number,
  locale: Locale,
): string[] {
  const { paidBy, listPrice } = locale.words.promotion;
  const listCents = items[line]?.listUnitCents;
  const regular = listCents === undefined ? [] : [listPrice({ price: locale.format.money(listCents) })];
  const taken = discounts.flatMap((one) =>
    one.parts.flatMap(({ payer, lineCents }) => {
      const off = lineCents[line] ?? 0;
      const name = one.code ?? promotionTitle(one, locale);
      return off === 0 ? [] : [`${locale.format.money(-off)} · ${name} · ${paidBy[payer]}`];
    }),
  );
  return [...regular, ...taken];
}
