import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { cents, component, describedObject, flag, optionalText } from '../../platform/http/api-components.ts';
import { type ItemFilter, PAYERS, PROMOTION_KINDS, type Promotion, type PromotionTerms } from '../pricing/promotion.ts';
import { formatHours } from '../stores/format-hours.ts';
import { WeekHoursSchema } from '../stores/store-element.ts';
import { TAX_CLASSES } from '../stores/tax-class.ts';
import { PROMOTION_STATES } from './promotion-state.ts';
import { PROMOTION_LIMITS } from './read-promotion.ts';

/**
 * A promotion on the wire, which every door shares. Schemas of bodies have types alone: `readPromotion` checks the
 * values, so that one refusal names all faults.
 */

const optionalCents = (description: string) => Type.Optional(cents(description));
const optionalNumber = (description: string) => Type.Optional(Type.Integer({ description }));
/** Above all limits of texts, which are of their own: `readPromotion` names what exceeds them. */
const MAX_TEXT = 256;

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: MAX_TEXT }), { maxItems: PROMOTION_LIMITS.itemIds, description }));

const itemLists = {
  products: ids('Ids of products in the feed; absent: none.'),
  categories: ids('Ids of categories in the feed; their subcategories are included. Absent: none.'),
  tax_classes: Type.Optional(
    Type.Array(Type.Enum([...TAX_CLASSES]), { maxItems: TAX_CLASSES.length, description: 'Absent: none.' }),
  ),
};
const except = Type.Optional(
  Type.Object(itemLists, { description: 'Items that it is not on; absent lists name none.' }),
);
const items = (description: string) =>
  Type.Optional(
    describedObject(
      `${description} Items that any of the lists names, each of at most ${PROMOTION_LIMITS.itemIds} ids.`,
      { ...itemLists, except },
    ),
  );

const terms = {
  kind: Type.Enum([...PROMOTION_KINDS], {
    description:
      '`item_price`: a price in the menu. `percent` and `amount`: off the items. `spend`: by tiers. `buy_get`: some units lower some. `delivery`: off the delivery fee.',
  }),
  percent: Type.Optional(
    Type.Number({
      description:
        'Above 0, at most 100, with at most six decimals. Of `percent`; of `buy_get`, 100 by default; of `item_price`, unless it has a `price_cents`.',
    }),
  ),
  price_cents: optionalCents('Of `item_price`: the price of a unit without options, not above its price in the menu.'),
  max_discount_cents: optionalCents('Of `percent`: the largest discount of an order.'),
  amount_cents: optionalCents('Of `amount`; of `delivery`, unless it has `to_cents`.'),
  tiers: Type.Optional(
    Type.Array(
      Type.Object({ minimum_subtotal: cents('Of the items that it is on.'), amount_cents: cents('Off these items.') }),
      {
        maxItems: PROMOTION_LIMITS.tiers,
        description: `Of \`spend\`: at most ${PROMOTION_LIMITS.tiers}, each above the one before it; the highest that is reached counts.`,
      },
    ),
  ),
  buy: optionalNumber('Of `buy_get`: units of `items` that are bought.'),
  get: optionalNumber('Of `buy_get`: units that are lowered for them.'),
  get_items: items('Of `buy_get`: what is lowered, where it is not `items`; no id or class of those.'),
  times: optionalNumber('Of `buy_get`: how often in an order, at most.'),
  to_cents: optionalCents('Of `delivery`: 0, the fee that is left.'),
};

const FundingSchema = Type.Array(
  Type.Object({
    payer: Type.Enum([...PAYERS]),
    percent: Type.Number({ description: 'Of the discount, with at most six decimals.' }),
  }),
  { maxItems: PAYERS.length, description: 'Who pays which part; the percents add up to 100.' },
);

const conditions = {
  title: optionalText(
    MAX_TEXT,
    `At most ${PROMOTION_LIMITS.titleCharacters} characters, shown as written; without it, words of its kind in the customer's language.`,
  ),
  code: optionalText(
    MAX_TEXT,
    '4 to 32 of A–Z, 0–9 and `-`; without it, it applies by itself. Letter case does not matter.',
  ),
  items: items('Without it, all items. Alcohol never counts.'),
  minimum_subtotal: optionalCents('Of the items that it is on, at menu prices.'),
  mode: Type.Optional(Type.Enum(['delivery', 'pickup'])),
  stores: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_TEXT }), {
      maxItems: PROMOTION_LIMITS.stores,
      description: `At most ${PROMOTION_LIMITS.stores} \`store_id\`s; without it, all stores. Not of a store's own.`,
    }),
  ),
  country: Type.Optional(
    Type.Enum(['US', 'CA'], { description: 'Cents are of the currency of the store. Not of a store’s own.' }),
  ),
  store_type: Type.Optional(Type.Enum(['restaurant', 'grocery'], { description: 'Not of a store’s own.' })),
  first_order: flag("Only for a user's first order in the account; implies one use per user."),
  new_store_days: optionalNumber('Days after a store first took live orders. Not of a store’s own.'),
  starts_at: optionalNumber('Epoch seconds; without it, at once.'),
  ends_at: optionalNumber('Epoch seconds.'),
};

const LIMIT_FIELDS = {
  max_uses: optionalNumber('Orders in all.'),
  max_uses_per_user: optionalNumber('Orders of one user, by `user_id`, phone, email or card.'),
  budget_cents: optionalCents('The discounts of all orders together.'),
};

export const AGREEMENT_FIELDS = {
  agreed_by: Type.String({ description: 'Who agreed for the store.' }),
  agreed_on: Type.String({ description: 'The date, `YYYY-MM-DD`.' }),
};

export const PROMOTION_PATH = Type.Object({
  promotion_id: Type.String({ maxLength: 64, description: 'Of the list of promotions.' }),
});

/** What each step does: a summary, and its description. */
export const STEP_WORDS = {
  pause: ['Pause a promotion', 'Orders are priced without it until it is resumed. Orders that have it keep it.'],
  resume: ['Resume a paused promotion', '422 `agreement_required` while a store pays a part and none has agreed.'],
  end: ['End a promotion', 'For good. Orders that have it keep it.'],
} as const;
export const CHANGE_WORDS =
  'Once it has begun, `ends_at` can only move nearer and limits can only rise. Anything else is another promotion.';

/** Fields of a body that changes a promotion. */
export const CHANGE_FIELDS = { ends_at: conditions.ends_at, ...LIMIT_FIELDS };
/** Other fields reach the flow, which refuses a change of them. */
export const CHANGE_OPTIONS = { additionalProperties: true };

/** Fields of a body that creates a promotion. */
export const PROMOTION_BODY = {
  ...terms,
  funding: Type.Optional(FundingSchema),
  ...conditions,
  hours: Type.Optional(
    Type.Unsafe<unknown>({
      description: "On the store's clock, in any notation of a feed's `hours`; of a scheduled order, at its time.",
      examples: ['Mo-Fr 14:00-17:00'],
    }),
  ),
  ...LIMIT_FIELDS,
  listed: flag('Whether stores show it as an offer; by default without a code.'),
};

export const PromotionSchema = component('Promotion', 'A discount, who pays it, and where and how often it applies.', {
  promotion_id: Type.String(),
  offered_by: Type.Enum([...PAYERS]),
  ...terms,
  funding: FundingSchema,
  ...conditions,
  hours: Type.Optional(WeekHoursSchema),
  ...LIMIT_FIELDS,
  listed: Type.Boolean({ description: 'Whether stores show it as an offer.' }),
  state: Type.Enum([...PROMOTION_STATES], {
    description: '`paused` too while no store has agreed to pay its part; `used_up`: a limit is reached.',
  }),
  used: optionalNumber(
    'Orders that have it. Absent, as are the three below, for a store of what others offer: those of other stores count too.',
  ),
  spent_cents: optionalCents(
    'The discounts of these orders, of all payers; of goods by weight the most until they are handed over.',
  ),
  cost: optionalCents("Of that, the caller's part; of the operator, the operator's."),
  sales: optionalCents('The subtotals of these orders at menu prices, likewise.'),
  agreements: Type.Optional(
    Type.Array(Type.Object({ store_id: Type.String(), ...AGREEMENT_FIELDS }), {
      description: 'Where stores pay a part of what others offer: it applies at the stores that have agreed.',
    }),
  ),
});

/** The fields that `readPromotion` reads, in its sequence. */
export function presentPromotion({ promotionId, offeredBy, terms: own, funding, hours, ...rest }: Promotion) {
  const { items: on, firstOrder } = rest;
  return {
    promotion_id: promotionId,
    offered_by: offeredBy,
    ...presentTerms(own),
    funding: [...funding],
    ...present({
      title: rest.title,
      code: rest.code,
      items: on && presentItems(on),
      minimum_subtotal: rest.minimumSubtotalCents,
      mode: rest.mode,
      stores: rest.stores && [...rest.stores],
      country: rest.country,
      store_type: rest.storeType,
      first_order: firstOrder ? true : undefined,
      new_store_days: rest.newStoreDays,
      starts_at: rest.startsEpochS,
      ends_at: rest.endsEpochS,
      hours: hours && formatHours(hours),
      max_uses: rest.maxUses,
      max_uses_per_user: rest.maxUsesPerUser,
      budget_cents: rest.budgetCents,
    }),
    listed: rest.listed,
  };
}

type Presented = Pick<Static<typeof PromotionSchema>, keyof typeof terms>;

function presentTerms(own: PromotionTerms): Presented {
  if (own.kind === 'item_price') {
    return { kind: own.kind, ...('priceCents' in own ? { price_cents: own.priceCents } : { percent: own.percent }) };
  }
  if (own.kind === 'percent') {
    return present({ kind: own.kind, percent: own.percent, max_discount_cents: own.maxDiscountCents });
  }
  if (own.kind === 'amount') return { kind: own.kind, amount_cents: own.amountCents };
  if (own.kind === 'spend') {
    const tiers = own.tiers.map(({ minimumSubtotalCents, amountCents }) => ({
      minimum_subtotal: minimumSubtotalCents,
      amount_cents: amountCents,
    }));
    return { kind: own.kind, tiers };
  }
  if (own.kind === 'buy_get') {
    const { kind, buy, get, percent, getItems, times } = own;
    return present({ kind, buy, get, percent, get_items: getItems && presentItems(getItems), times });
  }
  return { kind: own.kind, ...('toCents' in own ? { to_cents: own.toCents } : { amount_cents: own.amountCents }) };
}

type PresentedItems = Static<ReturnType<typeof items>>;

function presentItems({ products, categories, taxClasses, except }: ItemFilter): PresentedItems {
  return present({
    products: products && [...products],
    categories: categories && [...categories],
    tax_classes: taxClasses && [...taxClasses],
    except: except && presentItems(except),
  });
}
