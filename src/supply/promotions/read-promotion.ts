import { present } from 'doorstep/collections';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { LAST_EPOCH_S } from '../../platform/lib/time.ts';
import {
  type Funding,
  type ItemFilter,
  PAYERS,
  type Payer,
  PROMOTION_KINDS,
  type Promotion,
  type PromotionKind,
  type PromotionTerms,
} from '../pricing/promotion.ts';
import { isExactPercent } from '../pricing/taxes.ts';
import { FEED_LIMITS, FeedObject, type LineFault, type LineReport } from '../stores/feed-fields.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import { readHours } from '../stores/read-hours.ts';
import type { Country, Mode, StoreType } from '../stores/store.ts';
import { TAX_CLASSES } from '../stores/tax-class.ts';
import { isCode, readCode } from './promotion-code.ts';

/**
 * Reads a promotion as every door takes it: the Store API, the account's, the operator's and a feed's
 * (docs/promotions.md). All errors are reported, each with its path. `presentPromotion` writes the same fields.
 */

export const PROMOTION_LIMITS = {
  titleCharacters: 100,
  /** Of a discount and of a tier: $1,000. */
  amountCents: 100_000,
  /** $10,000,000. */
  budgetCents: 1_000_000_000,
  uses: 1_000_000_000,
  usesPerUser: 1000,
  tiers: 5,
  /** Units that are bought and that are lowered. */
  units: 100,
  stores: 1000,
  /** Ids in each list of items. */
  itemIds: 1000,
  newStoreDays: 3650,
  /** Promotions of an owner that have not ended: an order reads them. */
  open: { store: 50, account: 50, operator: 200 },
} as const;

const AMOUNT = { min: 1, max: PROMOTION_LIMITS.amountCents };
const UNITS = { min: 1, max: PROMOTION_LIMITS.units };
const SUBTOTAL = { min: 0, max: FEED_LIMITS.priceCents };
const EPOCH_S = { min: 0, max: LAST_EPOCH_S };

/** A promotion that has no id yet. */
export type PromotionFields = Omit<Promotion, 'promotionId'>;

/** Fields of each kind. */
const FIELDS: Readonly<Record<PromotionKind, string>> = {
  item_price: 'percent price_cents',
  percent: 'percent max_discount_cents',
  amount: 'amount_cents',
  spend: 'tiers',
  buy_get: 'buy get percent get_items times',
  delivery: 'to_cents amount_cents',
};
const fieldsOf = (...kinds: readonly PromotionKind[]) => new Set(kinds.flatMap((kind) => FIELDS[kind].split(' ')));

/** Conditions of user and limit, which a price in the menu can't have, because a menu is the same for everyone. */
const NOT_OF_MENU_PRICES = 'code first_order minimum_subtotal max_uses max_uses_per_user budget_cents'.split(' ');
/** Conditions of the place, which a store's own promotion can't have. */
const NOT_OF_STORES = ['stores', 'country', 'store_type', 'new_store_days'] as const;

/** Reads a body with all its errors. The fields are meaningless if there are any. */
export function readPromotionBody(
  body: JsonObject,
  offeredBy: Payer,
): { fields: PromotionFields; faults: LineFault[] } {
  const report: LineReport = { faults: [], warnings: [] };
  return { fields: readPromotion(new FeedObject(body, report), offeredBy), faults: report.faults };
}

/** Reads what `offeredBy` offers. The result is meaningless once the report has an error. */
export function readPromotion(from: FeedObject, offeredBy: Payer): PromotionFields {
  const kind = from.choice('kind', PROMOTION_KINDS);
  from.requirePresent('kind');
  const code = codeOf(from);
  const items = readItems(from, 'items');
  const firstOrder = from.flag('first_order', false);
  const startsEpochS = from.whole('starts_at', EPOCH_S);
  const fields = present({
    offeredBy,
    terms: kind ? readTerms(from, kind, items) : { kind: 'delivery' as const, toCents: 0 as const },
    funding: readFunding(from, offeredBy),
    title: from.text('title', PROMOTION_LIMITS.titleCharacters) || undefined,
    code,
    items,
    minimumSubtotalCents: from.whole('minimum_subtotal', SUBTOTAL),
    mode: from.choice<Mode>('mode', ['delivery', 'pickup']),
    stores: readStores(from),
    country: from.choice<Country>('country', ['US', 'CA']),
    storeType: from.choice<StoreType>('store_type', ['restaurant', 'grocery']),
    firstOrder,
    newStoreDays: from.whole('new_store_days', { min: 1, max: PROMOTION_LIMITS.newStoreDays }),
    startsEpochS,
    endsEpochS: readEnd(from, startsEpochS),
    hours: readWeek(from),
    ...readLimits(from, firstOrder),
    listed: from.flag('listed', code === undefined),
  });
  const lacks = (names: readonly string[], why: string) => {
    for (const name of names) if (from.has(name)) from.fault(name, `expected absent: ${why}`);
  };
  if (offeredBy === 'store') lacks(NOT_OF_STORES, "a store's promotion is its own");
  if (kind === 'item_price') lacks(NOT_OF_MENU_PRICES, 'a price in the menu is for everybody');
  if (kind === 'delivery') lacks(['items'], 'it lowers the delivery fee');
  if (kind === 'delivery' && fields.mode === 'pickup') from.fault('mode', 'expected delivery, whose fee it lowers');
  if (kind) lacks([...fieldsOf(...PROMOTION_KINDS).difference(fieldsOf(kind))], `it is not of the kind ${kind}`);
  const isLimited = from.has('max_uses') || from.has('budget_cents');
  if (offeredBy !== 'store' && kind !== 'item_price' && !isLimited) {
    from.fault('max_uses', 'expected present, unless there is a budget_cents');
  }
  return fields;
}

/** Whether a store pays a part of others' offers. */
export const needsAgreement = ({ offeredBy, funding }: Pick<Promotion, 'offeredBy' | 'funding'>): boolean =>
  offeredBy !== 'store' && funding.some(({ payer }) => payer === 'store');

/** A percentage above 0; up to six decimals. */
function readPercent(from: FeedObject, fallback?: number): number {
  if (fallback === undefined) from.requirePresent('percent');
  const percent = from.number('percent', { min: 0, max: 100 });
  if (percent !== undefined && (percent === 0 || !isExactPercent(percent))) {
    from.fault('percent', 'expected above 0, with at most six decimals');
  }
  return percent ?? fallback ?? 0;
}

function requireWhole(from: FeedObject, key: string, bounds: { min: number; max: number }): number {
  from.requirePresent(key);
  return from.whole(key, bounds) ?? bounds.min;
}

/** Reads one of two alternatives; both or neither is an error. */
function requireEither(from: FeedObject, one: string, other: string): boolean {
  if (from.has(one) === from.has(other)) {
    from.fault(one, from.has(one) ? `expected absent beside ${other}` : `expected present, or ${other}`);
  }
  return from.has(one);
}

function readTerms(from: FeedObject, kind: PromotionKind, items: ItemFilter | undefined): PromotionTerms {
  if (kind === 'item_price') {
    from.requirePresent('items');
    const hasPrice = requireEither(from, 'price_cents', 'percent');
    if (hasPrice) return { kind, priceCents: from.cents('price_cents') ?? 0 };
    return { kind, percent: readPercent(from, 100) };
  }
  if (kind === 'percent') {
    return present({ kind, percent: readPercent(from), maxDiscountCents: from.whole('max_discount_cents', AMOUNT) });
  }
  if (kind === 'amount') return { kind, amountCents: requireWhole(from, 'amount_cents', AMOUNT) };
  if (kind === 'spend') return { kind, tiers: readTiers(from) };
  if (kind === 'buy_get') return readBuyGet(from, items);
  const isAbsolute = requireEither(from, 'to_cents', 'amount_cents');
  if (!isAbsolute) return { kind, amountCents: from.whole('amount_cents', AMOUNT) ?? 1 };
  if (from.value('to_cents') !== 0) from.fault('to_cents', 'expected 0');
  return { kind, toCents: 0 };
}

/** The tiers of `spend`, from the lowest. */
function readTiers(from: FeedObject) {
  from.requirePresent('tiers');
  const tiers = from.objects('tiers', PROMOTION_LIMITS.tiers).map((tier) => ({
    minimumSubtotalCents: requireWhole(tier, 'minimum_subtotal', { ...SUBTOTAL, min: 1 }),
    amountCents: requireWhole(tier, 'amount_cents', AMOUNT),
  }));
  const ascends = tiers.every(({ minimumSubtotalCents: minimum, amountCents: amount }, nth) => {
    const before = tiers[nth - 1];
    return !before || (minimum > before.minimumSubtotalCents && amount > before.amountCents);
  });
  if (from.has('tiers') && (tiers.length === 0 || !ascends)) {
    from.fault('tiers', `expected a list of 1 to ${PROMOTION_LIMITS.tiers}, each above the one before it`);
  }
  return tiers;
}

function readBuyGet(from: FeedObject, items: ItemFilter | undefined): PromotionTerms {
  const getItems = readItems(from, 'get_items');
  if (getItems && overlap(items, getItems)) {
    from.fault('get_items', 'expected other items than those of items; leave it out for the same');
  }
  return present({
    kind: 'buy_get' as const,
    buy: requireWhole(from, 'buy', UNITS),
    get: requireWhole(from, 'get', UNITS),
    percent: readPercent(from, 100),
    getItems,
    times: from.whole('times', UNITS),
  });
}

/** Whether two filters name the same id or class; no filter is all items. */
function overlap(items: ItemFilter | undefined, others: ItemFilter): boolean {
  const share = (key: 'products' | 'categories' | 'taxClasses') => {
    const own = new Set<string>(items?.[key]);
    return (others[key] ?? []).some((id) => own.has(id));
  };
  return items === undefined || share('products') || share('categories') || share('taxClasses');
}

function readItems(from: FeedObject, key: string, isException = false): ItemFilter | undefined {
  const object = from.object(key);
  if (!object) return undefined;
  const ids = (name: string) => {
    const texts = object.texts(name, PROMOTION_LIMITS.itemIds, FEED_LIMITS.idCharacters);
    return texts.length > 0 ? [...new Set(texts)] : undefined;
  };
  const taxClasses = object.list('tax_classes', TAX_CLASSES.length).map(({ value, path }) => {
    const known = TAX_CLASSES.find((one) => one === value);
    if (!known) object.addFault(path, `expected one of ${TAX_CLASSES.join(', ')}`);
    return known ?? 'general';
  });
  const filter = present({
    products: ids('products'),
    categories: ids('categories'),
    taxClasses: taxClasses.length > 0 ? taxClasses : undefined,
    except: isException ? undefined : readItems(object, 'except', true),
  });
  if (Object.keys(filter).length === 0) from.fault(key, 'expected products, categories or tax_classes');
  return filter;
}

/** Who pays; without it, who offers. The percents add up to 100. */
function readFunding(from: FeedObject, offeredBy: Payer): Funding {
  if (!from.has('funding')) return [{ payer: offeredBy, percent: 100 }];
  const shares = from.objects('funding', PAYERS.length).map((share) => {
    share.requirePresent('payer');
    const payer = share.choice('payer', PAYERS);
    if (payer && payer !== offeredBy && payer !== 'store' && offeredBy !== 'operator') {
      share.fault(
        'payer',
        `expected ${offeredBy === 'store' ? 'store' : 'account or store'}: nobody spends for others`,
      );
    }
    return { payer: payer ?? offeredBy, percent: readPercent(share) };
  });
  const isWhole = Math.round(shares.reduce((sum, { percent }) => sum + percent * 1e6, 0)) === 100e6;
  if (!isWhole || new Set(shares.map(({ payer }) => payer)).size < shares.length) {
    from.fault('funding', 'expected a list of each payer once, with percents that add up to 100');
  }
  return shares.toSorted((a, b) => PAYERS.indexOf(a.payer) - PAYERS.indexOf(b.payer));
}

function codeOf(from: FeedObject): string | undefined {
  const typed = from.text('code', FEED_LIMITS.nameCharacters);
  if (typed !== undefined && !isCode(typed)) from.fault('code', 'expected 4 to 32 of A-Z, 0-9 and -');
  return typed === undefined ? undefined : readCode(typed);
}

function readStores(from: FeedObject): readonly string[] | undefined {
  if (!from.has('stores')) return undefined;
  const stores = [...new Set(from.texts('stores', PROMOTION_LIMITS.stores, FEED_LIMITS.idCharacters))];
  if (stores.length === 0) from.fault('stores', 'expected at least one store; leave it out for all');
  return stores;
}

/** Reads an end, which is after the start. */
export function readEnd(from: FeedObject, startsEpochS = 0): number | undefined {
  const endsEpochS = from.whole('ends_at', EPOCH_S);
  if (endsEpochS !== undefined && endsEpochS <= startsEpochS) from.fault('ends_at', 'expected after starts_at');
  return endsEpochS;
}

function readWeek(from: FeedObject): WeeklyHours | undefined {
  if (!from.has('hours')) return undefined;
  const read = readHours(from.value('hours'));
  if (!read.ok) {
    from.fault('hours', `expected hours of weekdays: ${read.reason}`);
    return undefined;
  }
  if (read.dated || read.leftOut.length > 0) from.fault('hours', 'expected weekdays, without dates and holidays');
  if (Object.values(read.hours).every((day) => day.length === 0)) from.fault('hours', 'expected hours of any weekday');
  return read.hours;
}

/** Reads the limits alone, as a change of a promotion has them. */
export function readLimits(from: FeedObject, firstOrder: boolean) {
  const maxUsesPerUser = from.whole('max_uses_per_user', {
    min: 1,
    max: firstOrder ? 1 : PROMOTION_LIMITS.usesPerUser,
  });
  return present({
    maxUses: from.whole('max_uses', { min: 1, max: PROMOTION_LIMITS.uses }),
    maxUsesPerUser: maxUsesPerUser ?? (firstOrder ? 1 : undefined),
    budgetCents: from.whole('budget_cents', { min: 1, max: PROMOTION_LIMITS.budgetCents }),
  });
}
