import type { Static } from 'typebox';
import { present } from '../../packages/collections/present.ts';
import type { PromotionSchema } from '../../src/supply/promotions/promotion-shape.ts';
import { formatHours, isAllDay, rangeInWords } from '../../src/supply/stores/format-hours.ts';
import { WEEKDAYS, weeklyHours } from '../../src/supply/stores/hours.ts';
import { readHours } from '../../src/supply/stores/read-hours.ts';
import { store as words } from '../../src/texts/en/store.ts';
import type { ConsoleContext } from './console-context.ts';
import { ALL_DAY, rangeOf } from './hours-editing.ts';
import { plusDays, type StoreClock } from './store-clock.ts';

/* An offer as its form has it, as the Store API takes it, and as a sentence. */

const { offers: say } = words;
const { says } = say;

export type Offer = Static<typeof PromotionSchema>;
/** Members that are only read. */
type Read = 'promotion_id' | 'offered_by' | 'funding' | 'listed' | 'state' | 'used' | 'spent_cents' | 'cost' | 'sales';
type SentFields = Omit<Offer, Read>;
export type OfferBody = SentFields & Partial<Pick<Offer, Read>>;

export const OFFER_KINDS = ['percent', 'amount', 'item_price', 'buy_get', 'delivery'] as const;
export type OfferKind = (typeof OFFER_KINDS)[number];

export type ChosenItem = { id: string; name: string; isCategory: boolean };

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };
/** Fields that are sent as they are typed. Cents are NaN for an invalid amount. */
export type TypedFields = Optional<Omit<OfferBody, 'kind'>>;

export type OfferDraft = {
  body: TypedFields & { kind: OfferKind };
  /** Undefined: everything. */
  items: readonly ChosenItem[] | undefined;
  /** The discounted items; undefined: more of `items`. */
  getItems: readonly ChosenItem[] | undefined;
  /** From 0 for Monday; none: all of them. */
  days: readonly number[];
  from: string;
  to: string;
  first: string;
  last: string;
};

/** The form of a kind as it begins. */
export function newDraft(kind: OfferKind): OfferDraft {
  const terms = { buy_get: { buy: 1, get: 1, percent: 100 }, delivery: { to_cents: 0 } };
  const body = { kind, ...(kind === 'buy_get' || kind === 'delivery' ? terms[kind] : {}) };
  const items = kind === 'item_price' ? [] : undefined;
  return { body, items, getItems: undefined, days: [], from: '', to: '', first: '', last: '' };
}

/** The missing or invalid field, as a sentence; undefined for an offer that can be sent. */
export function faultOfDraft({ body, ...draft }: OfferDraft, today: string): string | undefined {
  const { kind, percent = 0, amount_cents: amount, price_cents: price, buy, get, code = '' } = body;
  const { items, getItems, from, to, first, last } = draft;
  const isPercent = kind === 'percent' || kind === 'buy_get';
  const isWithoutAmount = (kind === 'amount' && !amount) || (kind === 'item_price' && !price);
  const faults = {
    percent: isPercent && !(percent > 0 && percent <= 100),
    amount: isWithoutAmount || Object.values(body).some(Number.isNaN),
    units: kind === 'buy_get' && !(buy && get),
    items: items?.length === 0 || getItems?.length === 0,
    code: !/^([A-Z0-9-]{4,32})?$/i.test(code.trim()),
    hours: (from === '') !== (to === ''),
    dates: last !== '' && last < (first || today),
  };
  const found = (Object.keys(faults) as (keyof typeof faults)[]).find((name) => faults[name]);
  return found && say.faults[found];
}

/** The body of `POST /store/promotions`. */
export function bodyOfDraft({ body, items, getItems, ...times }: OfferDraft, clock: StoreClock): OfferBody {
  const lowered = getItems && idsOf(getItems);
  return present({
    ...body,
    code: body.code?.trim().toUpperCase() || undefined,
    title: body.title?.trim() || undefined,
    // Lowering one item doesn't lower another.
    items: items ? idsOf(items) : lowered && { except: lowered },
    get_items: lowered,
    starts_at: times.first === '' ? undefined : startOf(times.first, clock),
    ends_at: times.last === '' ? undefined : endOf(times.last, clock),
    hours: hoursOf(times),
  });
}

function idsOf(chosen: readonly ChosenItem[]): NonNullable<Offer['items']> {
  const ids = (isCategory: boolean) => chosen.filter((one) => one.isCategory === isCategory).map(({ id }) => id);
  const [products = [], categories = []] = [ids(false), ids(true)];
  return { ...(products.length > 0 && { products }), ...(categories.length > 0 && { categories }) };
}

/** The hours of a week; undefined at all times. */
function hoursOf({ days, from, to }: Pick<OfferDraft, 'days' | 'from' | 'to'>): Offer['hours'] {
  const range = rangeOf(from, to);
  if (!range && days.length === 0) return undefined;
  return formatHours(weeklyHours((day) => (days.length > 0 && !days.includes(day) ? [] : range ? [range] : ALL_DAY)));
}

/** Noon in UTC is of the same date in all of America. */
const startOf = (date: string, clock: StoreClock) => clock.dayStart(Date.parse(`${date}T12:00:00Z`) / 1000);
/** The end of a day, in epoch seconds. */
export const endOf = (date: string, clock: StoreClock): number => startOf(plusDays(date, 1), clock);

/** Names of categories and products by `nameKey`. */
export type Names = ReadonlyMap<string, string>;
export const nameKey = ({ id, isCategory }: Pick<ChosenItem, 'id' | 'isCategory'>) => `${isCategory ? 'c' : 'p'} ${id}`;

/** An offer in words: `20% off everything, every Tuesday, on orders of $30.00 or more, paid by you`. */
export function offerInWords(offer: OfferBody, names: Names, context: ConsoleContext): string {
  const { format, clock } = context;
  const { minimum_subtotal: minimum = 0, max_discount_cents: max, starts_at: starts, ends_at: ends, mode } = offer;
  const { times, code, first_order: isFirst, max_uses: uses, max_uses_per_user: perUser, budget_cents: budget } = offer;
  const dayOf = (epochS: number) => format.dates(clock.date(epochS));
  const facts = [
    headline(offer, names, context),
    max !== undefined && says.upTo({ amount: format.money(max) }),
    ...timesInWords(offer.hours, context),
    minimum > 0 && says.minimum({ amount: format.money(minimum), items: countedInWords(offer.items, names) }),
    times !== undefined && says.times({ count: times }),
    mode && says.mode[mode],
    code !== undefined && says.code({ code }),
    isFirst && says.firstOrder,
    starts !== undefined && starts > context.now() && says.from({ date: dayOf(starts) }),
    ends !== undefined && says.until({ date: dayOf(ends - 1) }),
    uses !== undefined && says.maxUses({ count: uses }),
    perUser !== undefined && !isFirst && says.perUser({ count: perUser }),
    budget !== undefined && says.budget({ amount: format.money(budget) }),
    payerInWords(offer, context),
  ];
  return facts.filter((fact) => typeof fact === 'string').join(', ');
}

function headline(offer: OfferBody, names: Names, { format }: ConsoleContext): string {
  const { kind, percent = 100, price_cents: price, amount_cents: cents, buy = 1, get = 1, tiers = [] } = offer;
  const items = itemsInWords(offer.items, names);
  const amount = cents === undefined ? format.percent(percent) : format.money(cents);
  if (kind === 'delivery') return cents === undefined ? says.freeDelivery : says.offDelivery({ amount });
  if (kind === 'spend') {
    const counted = countedInWords(offer.items, names);
    return tiers
      .map((tier) => ({ amount: format.money(tier.amount_cents), minimum: format.money(tier.minimum_subtotal) }))
      .map((step) => says.spend({ ...step, items: counted }))
      .join(', ');
  }
  if (kind === 'buy_get') {
    const others = itemsInWords(offer.get_items, names);
    const off = percent === 100 ? says.free : says.atPercent({ percent: format.percent(percent) });
    if (items === undefined)
      return others === undefined ? says.buyGet({ buy, get, off }) : says.buyAny({ buy, get, off, others });
    return others === undefined
      ? says.buySame({ buy, get, off, items })
      : says.buyOthers({ buy, items, get, off, others });
  }
  const of = { items: countedInWords(offer.items, names) ?? says.everything };
  return price === undefined ? says.off({ ...of, amount }) : says.price({ ...of, amount: format.money(price) });
}

const MAX_NAMES = 3;

/** The products that its sentence names. */
export const namedProducts = ({ items, get_items: lowered }: OfferBody): readonly string[] =>
  [items, items?.except, lowered].flatMap((of) =>
    (of?.products ?? []).length <= MAX_NAMES ? (of?.products ?? []) : [],
  );

/** The items by name, or their number; undefined for everything, or all but some. */
function itemsInWords(filter: Offer['items'], names: Names): string | undefined {
  const { products = [], categories = [], tax_classes: classes = [] } = filter ?? {};
  const known = [
    ...categories.map((id) => names.get(nameKey({ id, isCategory: true }))),
    ...products.map((id) => names.get(nameKey({ id, isCategory: false }))),
    ...classes.map((one) => words.menu.taxClasses[one]),
  ];
  if (known.length === 0) return undefined;
  const isShort = known.length <= MAX_NAMES && known.every((name) => name !== undefined);
  return isShort ? known.join(' + ') : says.some({ count: known.length });
}

/** The items with their exceptions; undefined for everything. */
function countedInWords(filter: Offer['items'], names: Names): string | undefined {
  const items = itemsInWords(filter, names);
  const except = itemsInWords(filter?.except, names);
  return except === undefined ? items : says.except({ items: items ?? says.everything, except });
}

/** Days and hours; different hours of several days are not listed. */
function timesInWords(hours: Offer['hours'], { format }: ConsoleContext): (string | false)[] {
  const read = hours && readHours(hours);
  if (!read?.ok) return [];
  const days = WEEKDAYS.map((_, day) => ({ day, ranges: read.hours[day] ?? [] })).filter(
    ({ ranges }) => ranges.length > 0,
  );
  const texts = days.map(({ ranges }) =>
    isAllDay(ranges) ? '' : ranges.map((range) => rangeInWords(range, format)).join(', '),
  );
  const [text = ''] = texts;
  return [
    days.length < WEEKDAYS.length && says.every({ days: format.list(days.map(({ day }) => format.weekday(day))) }),
    texts.some((one) => one !== text) ? says.someHours : text !== '' && text,
  ];
}

function payerInWords({ funding }: OfferBody, { format }: ConsoleContext): string {
  const own = funding?.find(({ payer }) => payer === 'store')?.percent;
  if (funding === undefined || own === 100) return says.paidByYou;
  return own === undefined ? says.paidByOthers : says.paidPart({ percent: format.percent(own) });
}
