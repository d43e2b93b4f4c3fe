import type { Format } from '../../platform/languages/format.ts';
import type { promoCode } from '../../texts/en/promo-code.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import type { Country, Mode, StoreType } from '../stores/store.ts';
import type { TaxClass } from '../stores/tax-class.ts';

/** A promotion, and the part of it frozen in an order (docs/promotions.md). Cents are in the store's currency. */

/** Who pays a discount, or a part of it; ties of cents go in this order. */
export const PAYERS = ['store', 'account', 'operator'] as const;
export type Payer = (typeof PAYERS)[number];

/** The percents add up to 100; each payer is named once, in the order of `PAYERS`. */
export type Funding = readonly { payer: Payer; percent: number }[];

/** Up to one promotion applies in each slot, in this order. Menu prices come before all of them. */
export const SLOTS = ['store', 'market', 'delivery'] as const;
export type Slot = (typeof SLOTS)[number];

export const PROMOTION_KINDS = ['item_price', 'percent', 'amount', 'spend', 'buy_get', 'delivery'] as const;
export type PromotionKind = (typeof PROMOTION_KINDS)[number];

/** Products by the feed's ids; a category contains its subcategories. All members are alternatives but `except`. */
export type ItemFilter = {
  products?: readonly string[];
  categories?: readonly string[];
  taxClasses?: readonly TaxClass[];
  except?: Omit<ItemFilter, 'except'>;
};

/** The item names of a minimum; empty where some can't be named. Without `names`: all but the excepted. */
export type ItemNames = { names?: string[]; except?: string[] };

/** Its reduction. */
export type PromotionTerms =
  | { kind: 'item_price'; priceCents: number }
  | { kind: 'item_price'; percent: number }
  | { kind: 'percent'; percent: number; maxDiscountCents?: number }
  | { kind: 'amount'; amountCents: number }
  | { kind: 'spend'; tiers: readonly { minimumSubtotalCents: number; amountCents: number }[] }
  | { kind: 'buy_get'; buy: number; get: number; percent: number; getItems?: ItemFilter; times?: number }
  | { kind: 'delivery'; toCents: 0 }
  | { kind: 'delivery'; amountCents: number };

/** Limits of uses; absent where there is none. */
export type PromotionLimits = { maxUses?: number; maxUsesPerUser?: number; budgetCents?: number };

/** A promotion as orders are priced with it. */
export type Promotion = PromotionLimits & {
  promotionId: string;
  offeredBy: Payer;
  terms: PromotionTerms;
  funding: Funding;
  /** The owner's own words, which are never translated; absent: words of its kind. */
  title?: string;
  /** Upper-cased; absent: automatic. */
  code?: string;
  /** Absent: all items. */
  items?: ItemFilter;
  /** What `items` are at the stores that it is read for; absent where its minimum counts all items. */
  itemNames?: ItemNames;
  minimumSubtotalCents?: number;
  mode?: Mode;
  /** Ids; absent: all. */
  stores?: readonly string[];
  /** Where the promotion has cents: the country of its currency. */
  country?: Country;
  storeType?: StoreType;
  firstOrder: boolean;
  newStoreDays?: number;
  startsEpochS?: number;
  endsEpochS?: number;
  /** On the store's clock. */
  hours?: WeeklyHours;
  listed: boolean;
};

/**
 * One payer's discount in cents, by line and off the delivery fee. `lowersTax`: the price is taxed after it.
 * `lineCents` has an entry for each line of the order. `waivedCents` are off the total, and no fee or line of its own.
 */
export type DiscountPart = {
  payer: Payer;
  lowersTax: boolean;
  lineCents: readonly number[];
  deliveryCents: number;
  waivedCents?: number;
};

/** A discount of an order; all its cents are in `parts`. */
export type Discount = {
  promotionId: string;
  /** `menu` is a menu price: `unitCents` of its lines is the lowered price. `waived`: no promotion, but a total that is too small to charge. */
  slot: Slot | 'menu' | 'waived';
  /** The inputs of its words; without `getItems`. */
  terms: PromotionTerms | { kind: 'waived' };
  title?: string;
  code?: string;
  /** Only for `spend`, whose text states a minimum. */
  itemNames?: ItemNames;
  parts: readonly DiscountPart[];
  /** The lines that a percentage is on; absent for other discounts, and for orders without goods by weight. */
  onLines?: readonly number[];
};

/** Why a code does not apply. */
export const REJECTIONS = [
  'not_valid',
  'not_yet',
  'wrong_store',
  'wrong_mode',
  'wrong_time',
  'minimum_not_met',
  'no_matching_items',
  'only_alcohol',
  'first_order_only',
  'already_used',
  'used_up',
  'nothing_to_discount',
  'better_offer_applied',
  'duplicate',
] as const;
export type Rejection = (typeof REJECTIONS)[number];

/** `missingCents`: the distance of the items, named by `itemNames`, to the minimum. */
export type RejectedCode = { code: string; reason: Rejection; missingCents?: number; itemNames?: ItemNames };

type Says = typeof promoCode;

/** `Pizzas and Salads`, `items except Cheesecake`; undefined for all items. */
export function itemsInWords(of: ItemNames | undefined, { items }: Says, format: Pick<Format, 'list'>) {
  const { names, except } = of ?? {};
  if (!names && !except) return of && items.selected;
  const included = names ? format.list(names) : items.any;
  return except ? items.except({ items: included, except: format.list(except) }) : included;
}

/** Why a code does not apply, in words. One for first orders waits until it is known who orders. */
export function rejectionInWords(
  says: Says,
  { code, reason, missingCents: cents = 0, itemNames }: RejectedCode,
  isUserKnown: boolean,
  format: Pick<Format, 'list' | 'money'>,
): string {
  if (reason === 'first_order_only' && !isUserKnown) return says.firstOrder({ code });
  return says.reasons[reason]({ code, amount: format.money(cents), items: itemsInWords(itemNames, says, format) });
}
