import { type Static, Type } from 'typebox';
import { bool, cents, component, integer, number, text } from '../../platform/http/api-components.ts';
import type { JsonObject } from '../../platform/lib/json-object.ts';
import { LAST_EPOCH_S } from '../../platform/lib/time.ts';
import {
  type ItemFilter,
  PAYERS,
  type Payer,
  PROMOTION_KINDS,
  type Promotion,
  type PromotionKind,
  type PromotionTerms,
} from '../pricing/promotion.ts';
import { isExactPercent } from '../pricing/taxes.ts';
import { FEED_LIMITS, FeedObject, type LineReport } from '../stores/feed-fields.ts';
import { formatHours } from '../stores/format-hours.ts';
import type { WeeklyHours } from '../stores/hours.ts';
import { readHours } from '../stores/read-hours.ts';
import { named, propertiesOf, readShape, required, type Shape, type Shaped, writeShape } from '../stores/shape.ts';
import { WeekHoursSchema } from '../stores/store-element.ts';
import { TAX_CLASSES, type TaxClass } from '../stores/tax-class.ts';
import { isCode, readCode } from './promotion-code.ts';
import { PROMOTION_STATES } from './promotion-state.ts';

/**
 * A promotion on the wire, for the Store API, the account's, the operator's and feeds (docs/promotions.md). Body
 * schemas check only types: the readers check values, so that one response lists all errors.
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
/** Above all limits of texts, which are of their own: the readers name what exceeds them. */
const MAX_TEXT = 256;

type Bounds = { min: number; max: number };
const upTo = (max: number, min = 1): Bounds => ({ min, max });
const AMOUNT = upTo(PROMOTION_LIMITS.amountCents);
const UNITS = upTo(PROMOTION_LIMITS.units);
const SUBTOTAL = upTo(FEED_LIMITS.priceCents, 0);
const EPOCH_S = upTo(LAST_EPOCH_S, 0);

const whole = (bounds: Bounds, description: string) => ({
  schema: integer(description),
  read: (from: FeedObject, name: string) => from.whole(name, bounds),
});
const amount = (bounds: Bounds, description: string) => ({ ...whole(bounds, ''), schema: cents(description) });
const choice = <const Choice extends string>(choices: readonly Choice[], description?: string) => ({
  schema: Type.Enum([...choices], description === undefined ? {} : { description }),
  read: (from: FeedObject, name: string) => from.choice<Choice>(name, choices),
});
/** A percentage above 0; up to six decimals. */
const percent = (description: string) => ({
  schema: number(description),
  read(from: FeedObject, name: string) {
    const read = from.number(name, { min: 0, max: 100 });
    if (read !== undefined && (read === 0 || !isExactPercent(read))) {
      from.fault(name, 'expected above 0, with at most six decimals');
    }
    return read;
  },
});
/** A list of different ids; undefined if empty. */
const ids = (maxItems: number, description: string) => ({
  schema: Type.Array(Type.String({ maxLength: MAX_TEXT }), { maxItems, description }),
  read(from: FeedObject, name: string): readonly string[] | undefined {
    const texts = from.texts(name, maxItems, FEED_LIMITS.idCharacters);
    return texts.length > 0 ? [...new Set(texts)] : undefined;
  },
});
/** A list of objects of a shape. */
const listOf = <S extends Shape>(shape: S, maxItems: number, description: string) => ({
  schema: Type.Array(Type.Object(propertiesOf(shape)), { maxItems, description }),
  read: (from: FeedObject, name: string): readonly Shaped<S>[] | undefined =>
    from.has(name) ? from.objects(name, maxItems).map((one) => readShape(shape, one)) : undefined,
  write: (values: readonly Shaped<S>[]) => values.map((value) => writeShape(shape, value)),
});

const LISTS = {
  products: ids(PROMOTION_LIMITS.itemIds, 'Product IDs from the feed. Absent if none.'),
  categories: ids(PROMOTION_LIMITS.itemIds, 'Category IDs from the feed, including subcategories. Absent if none.'),
  tax_classes: {
    schema: Type.Array(Type.Enum([...TAX_CLASSES]), { maxItems: TAX_CLASSES.length, description: 'Absent if none.' }),
    read(from: FeedObject, name: string): readonly TaxClass[] | undefined {
      const classes = from.list(name, TAX_CLASSES.length).map(({ value, path }) => {
        const known = TAX_CLASSES.find((one) => one === value);
        if (!known) from.addFault(path, `expected one of ${TAX_CLASSES.join(', ')}`);
        return known ?? 'general';
      });
      return classes.length > 0 ? classes : undefined;
    },
  },
};
/** A filter with at least one list. */
const filterOf = <S extends Shape>(shape: S, description: string) => ({
  schema: Type.Object(propertiesOf(shape), { description }),
  read(from: FeedObject, name: string) {
    const object = from.object(name);
    const filter = object && readShape(shape, object);
    if (filter && Object.keys(filter).length === 0) from.fault(name, 'expected products, categories or tax_classes');
    return filter;
  },
  write: (filter: Shaped<S>) => writeShape(shape, filter),
});
const FILTER = { ...LISTS, except: filterOf(LISTS, 'Excluded items. Absent if none.') };
const items = (description: string) =>
  filterOf(FILTER, `${description} Items in any of the lists, each with up to ${PROMOTION_LIMITS.itemIds} IDs.`);

const KIND =
  '`item_price`: a promotional price. `percent` and `amount`: a discount on items. `spend`: a discount in tiers. `buy_get`: a discount on some units when others are bought. `delivery`: a discount on the delivery fee.';
const TIER = {
  minimum_subtotal: required(
    named('minimumSubtotalCents', amount({ ...SUBTOTAL, min: 1 }, "The minimum subtotal of the promotion's items.")),
  ),
  amount_cents: required(amount(AMOUNT, 'The discount on these items.')),
};
const TERMS = {
  kind: required(choice(PROMOTION_KINDS, KIND)),
  percent: percent(
    'Above 0 and up to 100, with up to six decimals. For `percent`, `buy_get` (defaults to 100) and `item_price` without `price_cents`.',
  ),
  price_cents: {
    schema: cents('For `item_price`: the price of a unit without options, up to its menu price.'),
    read: (from: FeedObject, name: string) => from.cents(name),
  },
  max_discount_cents: amount(AMOUNT, 'For `percent`: the maximum discount per order.'),
  amount_cents: amount(AMOUNT, 'For `amount`, and for `delivery` without `to_cents`.'),
  tiers: listOf(
    TIER,
    PROMOTION_LIMITS.tiers,
    `For \`spend\`: up to ${PROMOTION_LIMITS.tiers} tiers, in ascending order. The highest tier reached applies.`,
  ),
  buy: whole(UNITS, 'For `buy_get`: the number of `items` to buy.'),
  get: whole(UNITS, 'For `buy_get`: the number of discounted units.'),
  get_items: items('For `buy_get`: the discounted items, if not `items`. No shared IDs or tax categories.'),
  times: whole(UNITS, 'For `buy_get`: the maximum number of uses per order.'),
  to_cents: {
    schema: cents('For `delivery`: the remaining fee. Must be 0.'),
    read(from: FeedObject, name: string): 0 | undefined {
      if (from.has(name) && from.value(name) !== 0) from.fault(name, 'expected 0');
      return from.has(name) ? 0 : undefined;
    },
  },
};

const FUNDING = listOf(
  {
    payer: required(choice(PAYERS)),
    percent: required(percent('A percentage of the discount, with up to six decimals.')),
  },
  PAYERS.length,
  'Who pays which part. The percentages add up to 100.',
);

const code = {
  schema: Type.String({
    maxLength: MAX_TEXT,
    description: '4 to 32 of A–Z, 0–9 and `-`, in any case. Without it, applies automatically.',
  }),
  read(from: FeedObject, name: string) {
    const typed = from.text(name, FEED_LIMITS.nameCharacters);
    if (typed !== undefined && !isCode(typed)) from.fault(name, 'expected 4 to 32 of A-Z, 0-9 and -');
    return typed === undefined ? undefined : readCode(typed);
  },
};
const hours = {
  schema: Type.Unsafe<Static<typeof WeekHoursSchema>>({
    description:
      "Times in the store's time zone, in any notation that a feed's `hours` accept. For a scheduled order, the slot's time is used.",
    examples: ['Mo-Fr 14:00-17:00'],
  }),
  read(from: FeedObject, name: string): WeeklyHours | undefined {
    if (!from.has(name)) return undefined;
    const read = readHours(from.value(name));
    const isNever = read.ok && Object.values(read.hours).every((day) => day.length === 0);
    if (!read.ok) from.fault(name, `expected hours of weekdays: ${read.reason}`);
    else if (read.dated || read.leftOut.length > 0) from.fault(name, 'expected weekdays, without dates and holidays');
    else if (isNever) from.fault(name, 'expected hours of any weekday');
    return read.ok ? read.hours : undefined;
  },
  write: formatHours,
};

/** A promotion's end and limits, which can change once it has begun. */
const CHANGE = {
  ends_at: named('endsEpochS', whole(EPOCH_S, 'Epoch seconds.')),
  max_uses: whole(upTo(PROMOTION_LIMITS.uses), 'The maximum number of orders.'),
  max_uses_per_user: {
    schema: integer('The maximum orders per user, by `user_id`, phone, email or card.'),
    read: (from: FeedObject, name: string) =>
      from.whole(name, upTo(from.value('first_order') === true ? 1 : PROMOTION_LIMITS.usesPerUser)),
  },
  budget_cents: amount(upTo(PROMOTION_LIMITS.budgetCents), 'The maximum discount over all orders.'),
};

const { ends_at, ...LIMITS } = CHANGE;
const CONDITIONS = {
  title: {
    schema: Type.String({
      maxLength: MAX_TEXT,
      description: `Up to ${PROMOTION_LIMITS.titleCharacters} characters, shown as written. Defaults to a generated title in the customer's language.`,
    }),
    read: (from: FeedObject, name: string) => from.text(name, PROMOTION_LIMITS.titleCharacters) || undefined,
  },
  code,
  items: items('Defaults to all items. Alcohol is always excluded.'),
  minimum_subtotal: named(
    'minimumSubtotalCents',
    amount(SUBTOTAL, "The minimum subtotal of the promotion's items, at menu prices."),
  ),
  mode: choice(['delivery', 'pickup']),
  stores: ids(
    PROMOTION_LIMITS.stores,
    `Up to ${PROMOTION_LIMITS.stores} \`store_id\`s. Defaults to all stores. Not available to stores.`,
  ),
  country: choice(['US', 'CA'], "The stores' country, which sets the currency. Not available to stores."),
  store_type: choice(['restaurant', 'grocery'], 'Not available to stores.'),
  first_order: {
    schema: bool("Only a user's first order with the account. Implies one use per user."),
    read: (from: FeedObject, name: string) => from.flag(name, false),
    write: (value: boolean) => value || undefined,
  },
  new_store_days: whole(
    upTo(PROMOTION_LIMITS.newStoreDays),
    "Days after a store's first live order. Not available to stores.",
  ),
  starts_at: named('startsEpochS', whole(EPOCH_S, 'Epoch seconds. Defaults to now.')),
  ends_at,
  hours,
  ...LIMITS,
  listed: {
    schema: bool('Whether stores show it as an offer. Defaults to `true` without a code.'),
    read: (from: FeedObject, name: string) => from.flag(name, !from.has('code')),
  },
};

/** Fields of a body that creates a promotion. */
export const PROMOTION_BODY = propertiesOf({ ...TERMS, funding: FUNDING, ...CONDITIONS });
/** Fields of a body that changes a promotion. */
export const CHANGE_FIELDS = propertiesOf(CHANGE);
/** Other fields reach the flow, which refuses a change of them. */
export const CHANGE_OPTIONS = { additionalProperties: true };

export const AGREEMENT_FIELDS = {
  agreed_by: text("Who agreed on the store's behalf."),
  agreed_on: text('The date, as `YYYY-MM-DD`.'),
};

export const PROMOTION_PATH = Type.Object({
  promotion_id: Type.String({ maxLength: 64, description: 'The ID from the list of promotions.' }),
});

/** What each step does: a summary, and its description. */
export const STEP_WORDS = {
  pause: ['Pause a promotion', 'Prices new orders without it. Orders that already use it keep it.'],
  resume: ['Resume a paused promotion', 'Returns 422 `agreement_required` if a store pays a part and none agreed.'],
  end: ['End a promotion', 'Ends it permanently. Orders that already use it keep it.'],
} as const;
export const CHANGE_WORDS =
  'After it has begun, `ends_at` can only be moved earlier and limits can only be raised. For other changes, create a new promotion.';

export const PromotionSchema = component('Promotion', 'A discount, with its payers, conditions and limits.', {
  promotion_id: Type.String(),
  offered_by: Type.Enum([...PAYERS]),
  ...PROMOTION_BODY,
  funding: FUNDING.schema,
  hours: Type.Optional(WeekHoursSchema),
  listed: bool('Whether stores show it as an offer.'),
  state: Type.Enum([...PROMOTION_STATES], {
    description: '`paused` also while no store has agreed to pay its part. `used_up`: a limit was reached.',
  }),
  paused_because: Type.Optional(text('Why it is paused, and what unpauses it; absent in other states.')),
  used: Type.Optional(
    integer(
      "The number of orders that use it. Absent, with the three fields below, if the caller is a store and the promotion isn't its own, because the totals include other stores.",
    ),
  ),
  spent_cents: Type.Optional(
    cents('Their discounts from all payers. For items sold by weight, the maximum until handoff.'),
  ),
  cost: Type.Optional(cents('The part of that discount paid by the caller, or for an operator, by the operator.')),
  sales: Type.Optional(cents('Their subtotals at menu prices. For items sold by weight, the maximum until handoff.')),
  agreements: Type.Optional(
    Type.Array(Type.Object({ store_id: Type.String(), ...AGREEMENT_FIELDS }), {
      description: 'The stores that agreed to pay their part. It applies only there. Absent if stores pay none.',
    }),
  ),
});

/** The fields that `readPromotion` reads. */
export function presentPromotion({ promotionId, offeredBy, terms, funding, ...rest }: Promotion) {
  return {
    promotion_id: promotionId,
    offered_by: offeredBy,
    ...writeShape(TERMS, terms),
    funding: FUNDING.write(funding),
    ...writeShape(CONDITIONS, rest),
    listed: rest.listed,
  };
}

/** A promotion that has no id yet. */
export type PromotionFields = Omit<Promotion, 'promotionId'>;

/** Fields of each kind: those that it must have, then those that it may have. `a|b`: exactly one of both. */
const KINDS: Readonly<Record<PromotionKind, { needs: string; may?: string }>> = {
  item_price: { needs: 'items price_cents|percent' },
  percent: { needs: 'percent', may: 'max_discount_cents' },
  amount: { needs: 'amount_cents' },
  spend: { needs: 'tiers' },
  buy_get: { needs: 'buy get', may: 'percent get_items times' },
  delivery: { needs: 'to_cents|amount_cents' },
};

/** Conditions of user and limit, which a price in the menu can't have, because a menu is the same for everyone. */
const NOT_OF_MENU_PRICES = 'code first_order minimum_subtotal max_uses max_uses_per_user budget_cents';

/** Why an owner's promotion of a kind can't have fields, by their names. */
function absentOf(kind: PromotionKind | undefined, offeredBy: Payer): Map<string, string> {
  const because = (names: string, why: string) => names.split(' ').map((name): [string, string] => [name, why]);
  const { needs, may = '' } = kind ? KINDS[kind] : { needs: '' };
  const own = `kind ${needs} ${may}`.split(/[ |]/);
  const others = Object.keys(TERMS).filter((name) => kind && !own.includes(name));
  return new Map([
    ...because(others.join(' '), `it is not of the kind ${kind}`),
    ...(offeredBy === 'store'
      ? because('stores country store_type new_store_days', "a store's promotion is its own")
      : []),
    ...(kind === 'item_price' ? because(NOT_OF_MENU_PRICES, 'a price in the menu is for everybody') : []),
    ...(kind === 'delivery' ? because('items', 'it lowers the delivery fee') : []),
  ]);
}

/** Reads a body with all its errors. The fields are meaningless if there are any. */
export function readPromotionBody(body: JsonObject, offeredBy: Payer) {
  const report: LineReport = { faults: [], warnings: [] };
  return { fields: readPromotion(new FeedObject(body, report), offeredBy), faults: report.faults };
}

/** Reads what `offeredBy` offers. The result is meaningless once the report has an error. */
export function readPromotion(from: FeedObject, offeredBy: Payer): PromotionFields {
  const kind = PROMOTION_KINDS.find((one) => one === from.value('kind'));
  const absent = absentOf(kind, offeredBy);
  const terms = readShape(TERMS, from, absent);
  const { firstOrder = false, listed = false, ...rest } = readShape(CONDITIONS, from, absent);
  const shares = from.has('funding') ? FUNDING.read(from, 'funding') : undefined;
  if (kind) checkNeeds(from, KINDS[kind].needs);
  checkTerms(from, terms, rest.items);
  if (shares) checkFunding(from, shares, offeredBy);
  if (from.has('stores') && !absent.has('stores') && !rest.stores) {
    from.fault('stores', 'expected at least one store; leave it out for all');
  }
  checkEnd(from, rest);
  if (kind === 'delivery' && rest.mode === 'pickup') from.fault('mode', 'expected delivery, whose fee it lowers');
  const isLimited = from.has('max_uses') || from.has('budget_cents');
  if (offeredBy !== 'store' && kind !== 'item_price' && !isLimited) {
    from.fault('max_uses', 'expected present, unless there is a budget_cents');
  }
  return {
    offeredBy,
    // The kind has no other fields, and has those that it needs.
    terms: (kind === 'buy_get' ? { percent: 100, ...terms } : terms) as PromotionTerms,
    funding: (shares ?? [{ payer: offeredBy, percent: 100 }]).toSorted(
      (a, b) => PAYERS.indexOf(a.payer) - PAYERS.indexOf(b.payer),
    ),
    ...rest,
    ...(firstOrder && { maxUsesPerUser: 1 }),
    firstOrder,
    listed,
  };
}

/** Reads a change of a promotion's end and limits. */
export function readChange(from: FeedObject, { firstOrder, startsEpochS = 0 }: Promotion): Shaped<typeof CHANGE> {
  const change = readShape(CHANGE, from.with({ ...from.fields, first_order: firstOrder }));
  checkEnd(from, { ...change, startsEpochS });
  return firstOrder ? { ...change, maxUsesPerUser: 1 } : change;
}

/** Whether a store pays a part of others' offers. */
export const needsAgreement = ({ offeredBy, funding }: Pick<Promotion, 'offeredBy' | 'funding'>): boolean =>
  offeredBy !== 'store' && funding.some(({ payer }) => payer === 'store');

function checkNeeds(from: FeedObject, needs: string): void {
  for (const need of needs.split(' ')) {
    const [one = '', other] = need.split('|');
    if (other === undefined) from.requirePresent(one);
    else if (from.has(one) === from.has(other)) {
      from.fault(one, from.has(one) ? `expected absent beside ${other}` : `expected present, or ${other}`);
    }
  }
}

function checkTerms(from: FeedObject, { tiers = [], getItems }: Shaped<typeof TERMS>, own: ItemFilter | undefined) {
  const ascends = tiers.every(({ minimumSubtotalCents: minimum, amountCents }, nth) => {
    const before = tiers[nth - 1];
    return !before || (minimum > before.minimumSubtotalCents && amountCents > before.amountCents);
  });
  if (from.value('kind') === 'spend' && from.has('tiers') && (tiers.length === 0 || !ascends)) {
    from.fault('tiers', `expected a list of 1 to ${PROMOTION_LIMITS.tiers}, each above the one before it`);
  }
  if (getItems && overlap(own, getItems)) {
    from.fault('get_items', 'expected other items than those of items; leave it out for the same');
  }
}

/** Whether two filters name the same id or class; no filter is all items. */
function overlap(own: ItemFilter | undefined, others: ItemFilter): boolean {
  const keys = ['products', 'categories', 'taxClasses'] as const;
  return !own || keys.some((key) => !new Set<string>(own[key]).isDisjointFrom(new Set<string>(others[key])));
}

/** Checks that the percentages add up to 100, and that no owner spends another's money. */
function checkFunding(from: FeedObject, shares: NonNullable<ReturnType<typeof FUNDING.read>>, offeredBy: Payer): void {
  for (const [nth, { payer }] of shares.entries()) {
    if (payer && payer !== offeredBy && payer !== 'store' && offeredBy !== 'operator') {
      const allowed = offeredBy === 'store' ? 'store' : 'account or store';
      from.fault(`funding[${nth}].payer`, `expected ${allowed}: nobody spends for others`);
    }
  }
  const isWhole = Math.round(shares.reduce((sum, { percent }) => sum + (percent ?? 0) * 1e6, 0)) === 100e6;
  if (!isWhole || new Set(shares.map(({ payer }) => payer)).size < shares.length) {
    from.fault('funding', 'expected a list of each payer once, with percents that add up to 100');
  }
}

function checkEnd(from: FeedObject, { startsEpochS = 0, endsEpochS = Infinity }: Partial<PromotionFields>): void {
  if (endsEpochS <= startsEpochS) from.fault('ends_at', 'expected after starts_at');
}
