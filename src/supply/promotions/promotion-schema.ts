import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import {
  bool,
  cents,
  component,
  describedObject,
  flag,
  number,
  optionalText,
  text,
} from '../../platform/http/api-components.ts';
import { type ItemFilter, PAYERS, PROMOTION_KINDS, type Promotion, type PromotionTerms } from '../pricing/promotion.ts';
import { formatHours } from '../stores/format-hours.ts';
import { WeekHoursSchema } from '../stores/store-element.ts';
import { TAX_CLASSES } from '../stores/tax-class.ts';
import { PROMOTION_STATES } from './promotion-state.ts';
import { PROMOTION_LIMITS } from './read-promotion.ts';

/**
 * A promotion on the wire, which every API surface shares. Body schemas check only types: `readPromotion` checks the
 * values, so that one response lists all errors.
 */

const optionalCents = (description: string) => Type.Optional(cents(description));
const optionalNumber = (description: string) => Type.Optional(Type.Integer({ description }));
/** Above all limits of texts, which are of their own: `readPromotion` names what exceeds them. */
const MAX_TEXT = 256;

const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: MAX_TEXT }), { maxItems: PROMOTION_LIMITS.itemIds, description }));

const itemLists = {
  products: ids('Product IDs from the feed. Absent if none.'),
  categories: ids('Category IDs from the feed, including subcategories. Absent if none.'),
  tax_classes: Type.Optional(
    Type.Array(Type.Enum([...TAX_CLASSES]), { maxItems: TAX_CLASSES.length, description: 'Absent if none.' }),
  ),
};
const except = Type.Optional(Type.Object(itemLists, { description: 'Excluded items. Absent if none.' }));
const items = (description: string) =>
  Type.Optional(
    describedObject(`${description} Items in any of the lists, each with up to ${PROMOTION_LIMITS.itemIds} IDs.`, {
      ...itemLists,
      except,
    }),
  );

const terms = {
  kind: Type.Enum([...PROMOTION_KINDS], {
    description:
      '`item_price`: a promotional price. `percent` and `amount`: a discount on items. `spend`: a discount in tiers. `buy_get`: a discount on some units when others are bought. `delivery`: a discount on the delivery fee.',
  }),
  percent: Type.Optional(
    number(
      'Above 0 and up to 100, with up to six decimals. For `percent`, `buy_get` (defaults to 100) and `item_price` without `price_cents`.',
    ),
  ),
  price_cents: optionalCents('For `item_price`: the price of a unit without options, up to its menu price.'),
  max_discount_cents: optionalCents('For `percent`: the maximum discount per order.'),
  amount_cents: optionalCents('For `amount`, and for `delivery` without `to_cents`.'),
  tiers: Type.Optional(
    Type.Array(
      Type.Object({
        minimum_subtotal: cents("The minimum subtotal of the promotion's items."),
        amount_cents: cents('The discount on these items.'),
      }),
      {
        maxItems: PROMOTION_LIMITS.tiers,
        description: `For \`spend\`: up to ${PROMOTION_LIMITS.tiers} tiers, in ascending order. The highest tier reached applies.`,
      },
    ),
  ),
  buy: optionalNumber('For `buy_get`: the number of `items` to buy.'),
  get: optionalNumber('For `buy_get`: the number of discounted units.'),
  get_items: items('For `buy_get`: the discounted items, if not `items`. No shared IDs or tax categories.'),
  times: optionalNumber('For `buy_get`: the maximum number of uses per order.'),
  to_cents: optionalCents('For `delivery`: the remaining fee. Must be 0.'),
};

const FundingSchema = Type.Array(
  Type.Object({
    payer: Type.Enum([...PAYERS]),
    percent: number('A percentage of the discount, with up to six decimals.'),
  }),
  { maxItems: PAYERS.length, description: 'Who pays which part. The percentages add up to 100.' },
);

const conditions = {
  title: optionalText(
    MAX_TEXT,
    `Up to ${PROMOTION_LIMITS.titleCharacters} characters, shown as written. Defaults to a generated title in the customer's language.`,
  ),
  code: optionalText(MAX_TEXT, '4 to 32 of A–Z, 0–9 and `-`, in any case. Without it, applies automatically.'),
  items: items('Defaults to all items. Alcohol is always excluded.'),
  minimum_subtotal: optionalCents("The minimum subtotal of the promotion's items, at menu prices."),
  mode: Type.Optional(Type.Enum(['delivery', 'pickup'])),
  stores: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_TEXT }), {
      maxItems: PROMOTION_LIMITS.stores,
      description: `Up to ${PROMOTION_LIMITS.stores} \`store_id\`s. Defaults to all stores. Not available to stores.`,
    }),
  ),
  country: Type.Optional(
    Type.Enum(['US', 'CA'], {
      description: "The stores' country, which sets the currency. Not available to stores.",
    }),
  ),
  store_type: Type.Optional(Type.Enum(['restaurant', 'grocery'], { description: 'Not available to stores.' })),
  first_order: flag("Only a user's first order with the account. Implies one use per user."),
  new_store_days: optionalNumber("Days after a store's first live order. Not available to stores."),
  starts_at: optionalNumber('Epoch seconds. Defaults to now.'),
  ends_at: optionalNumber('Epoch seconds.'),
};

const LIMIT_FIELDS = {
  max_uses: optionalNumber('The maximum number of orders.'),
  max_uses_per_user: optionalNumber('The maximum orders per user, by `user_id`, phone, email or card.'),
  budget_cents: optionalCents('The maximum discount over all orders.'),
};

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
      description:
        "Times in the store's time zone, in any notation that a feed's `hours` accept. For a scheduled order, the slot's time is used.",
      examples: ['Mo-Fr 14:00-17:00'],
    }),
  ),
  ...LIMIT_FIELDS,
  listed: flag('Whether stores show it as an offer. Defaults to `true` without a code.'),
};

export const PromotionSchema = component('Promotion', 'A discount, with its payers, conditions and limits.', {
  promotion_id: Type.String(),
  offered_by: Type.Enum([...PAYERS]),
  ...terms,
  funding: FundingSchema,
  ...conditions,
  hours: Type.Optional(WeekHoursSchema),
  ...LIMIT_FIELDS,
  listed: bool('Whether stores show it as an offer.'),
  state: Type.Enum([...PROMOTION_STATES], {
    description: '`paused` also while no store has agreed to pay its part. `used_up`: a limit was reached.',
  }),
  paused_because: Type.Optional(
    Type.String({ description: 'Why it is paused, and what unpauses it; absent in other states.' }),
  ),
  used: optionalNumber(
    "The number of orders that use it. Absent, with the three fields below, if the caller is a store and the promotion isn't its own, because the totals include other stores.",
  ),
  spent_cents: optionalCents('Their discounts from all payers. For items sold by weight, the maximum until handoff.'),
  cost: optionalCents('The part of that discount paid by the caller, or for an operator, by the operator.'),
  sales: optionalCents('Their subtotals at menu prices. For items sold by weight, the maximum until handoff.'),
  agreements: Type.Optional(
    Type.Array(Type.Object({ store_id: Type.String(), ...AGREEMENT_FIELDS }), {
      description: 'The stores that agreed to pay their part. It applies only there. Absent if stores pay none.',
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
