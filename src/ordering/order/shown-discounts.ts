import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { component } from '../../platform/http/api-components.ts';
import { DEFAULT_LANGUAGE } from '../../platform/languages/language.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { type Discount, PAYERS, SLOTS } from '../../supply/pricing/promotion.ts';
import { promotionTitle } from '../../supply/pricing/promotion-words.ts';
import { centsOf, discountCentsOf } from '../../supply/pricing/promotions.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import type { Customer, FrozenQuote } from './order.ts';
import { presentRejectedCodes, RejectedCodes } from './rejected-codes.ts';

/*
 * An order's discounts as they are shown (docs/promotions.md): all of them to the account and its customer, and
 * to a store what it pays itself. Members are absent without discounts.
 */

const cents = (description: string) => Type.Integer({ description: `Cents. ${description}` });
const text = (description: string) => Type.String({ description });

const DiscountSchema = component('Discount', 'What a promotion takes off an order, and who pays it.', {
  promotion_id: text('`waived` for a total that is too small to charge.'),
  slot: Type.Enum([...SLOTS, 'waived'], {
    description:
      'Up to one promotion applies in each. `waived`: the total was below the minimum of the card gateway, so nothing is charged and the operator pays it.',
  }),
  title: Type.String({ description: "Its owner's title, or what it does, in the customer's language." }),
  code: Type.Optional(Type.String({ description: 'Absent where it needs none.' })),
  amount: cents('All that it takes off.'),
  paid_by: Type.Array(Type.Object({ payer: Type.Enum([...PAYERS]), amount: cents('') })),
  lines: Type.Array(Type.Object({ index: Type.Integer(), amount: cents('') }), {
    description: 'Items by their place in the order; frozen with it.',
  }),
  delivery_amount: cents('What of it is off the delivery fee.'),
});

/** Members of a quote. */
export const DISCOUNT_MEMBERS = {
  discount_cents: Type.Optional(
    cents('The sum of `discounts`, and of what goods by weight cost above the most that is paid; absent without any.'),
  ),
  discounts: Type.Optional(Type.Array(DiscountSchema, { description: 'By slot; absent without any.' })),
  rejected_codes: Type.Optional(RejectedCodes),
};

export const ITEM_DISCOUNT_MEMBERS = {
  discount_cents: Type.Optional(cents('What discounts take off all units; absent without any.')),
  list_unit_price: Type.Optional(
    cents('Where the menu has a lower price: the price of one without it. `unit_price` is the lower one.'),
  ),
};

const StoreDiscountSchema = Type.Object({ title: Type.String(), amount: cents('What of it the store pays.') });

/** Members of a store's view. */
export const STORE_DISCOUNT_MEMBERS = {
  discount_cents: Type.Optional(cents('What the store takes off itself; absent where it takes off nothing.')),
  discounts: Type.Optional(
    Type.Array(StoreDiscountSchema, { description: 'Absent where the store takes off nothing.' }),
  ),
};

const DiscountMembers = Type.Object(DISCOUNT_MEMBERS);
const ItemMembers = Type.Object(ITEM_DISCOUNT_MEMBERS);
const StoreMembers = Type.Object(STORE_DISCOUNT_MEMBERS);

export type QuotedFor = { quote: FrozenQuote; request: { customer: Pick<Customer, 'language'> } };

const localeFor = ({ quote, request }: QuotedFor): Locale =>
  localeOf(request.customer.language ?? DEFAULT_LANGUAGE, quote.store.country);

/** What a discount takes off a line, by all who pay it. */
export const discountOn = ({ parts }: Discount, line: number): number =>
  sumCents(parts.map(({ lineCents }) => lineCents[line] ?? 0));

/** What discounts of slots take off a line. */
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

/** A quote at the list prices of its store, with what the store takes off itself. */
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

/** The rows of all promotions, and of what goods by weight cost above the most that is paid. */
export function discountRows({ discounts = [], discountCents = 0 }: FrozenQuote, locale: Locale): Line[] {
  const overCents = discountCents - sumCents(discounts.map(discountCentsOf));
  const over = { label: locale.words.customer.weight.aboveMost, cents: -overCents };
  return [...discounts.map((one) => discountRow(one, locale)), ...(overCents === 0 ? [] : [over])];
}

/** What a receipt says of an item's discounts, of each and for each who pays it: `-$2.50 · WELCOME5 · paid by …`. */
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
