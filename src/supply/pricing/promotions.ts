import { present } from 'doorstep/collections';
import { percentOf, splitInProportion, sumCents } from '../../platform/lib/money.ts';
import { openStateAtEpoch } from '../stores/open-state.ts';
import { weekLineOf } from '../stores/schedule.ts';
import type { Country, Mode, StoreType } from '../stores/store.ts';
import type { TaxClass } from '../stores/tax-class.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import { lowersTax } from './discount-tax-table.ts';
import {
  type Discount,
  type DiscountPart,
  type ItemFilter,
  type Payer,
  type Promotion,
  type PromotionTerms,
  REJECTIONS,
  type RejectedCode,
  type Rejection,
  SLOTS,
  type Slot,
} from './promotion.ts';
import { MILLIONTHS } from './taxes.ts';

/**
 * Which promotions apply to an order, and their discounts (docs/promotions.md). Menu prices first, then up to one
 * promotion in each slot: the store's, the marketplace's on the rest, and one off the delivery fee.
 */

/** A promotion that may apply, with its limits and its user. */
export type Candidate = {
  promotion: Promotion;
  /** Why a limit or a condition on the user refuses it; absent if none does. */
  refusedAs?: Rejection;
  /** Its remaining budget; absent without budget. */
  budgetLeftCents?: number;
};

/** A store's loaded promotions before an order is priced. */
export type PromotionFacts = {
  candidates: readonly Candidate[];
  /** When the store first took a live order; null: not yet. */
  liveSinceEpochS: number | null;
  /** The feed's ids of a product's category and of all its parents, by the product's number; absent where not needed. */
  categories?: ReadonlyMap<number, readonly string[]>;
  /** Who has the delivery fee, by the store's terms; null: the operator where an outside courier drives. */
  deliveryFee: 'store' | 'operator' | null;
  /** A courier company delivers for the store. */
  hasCourier: boolean;
  /** The order's money is collected at the handoff, so no courier company brings it. */
  isPaidAtHandover: boolean;
};

export const NO_PROMOTIONS: PromotionFacts = {
  candidates: [],
  liveSinceEpochS: null,
  deliveryFee: null,
  hasCourier: false,
  isPaidAtHandover: false,
};

/** A line of an order as promotions see it. */
export type PromotedItem = {
  externalId: string;
  /** The feed's ids of its category and of all parents. */
  categories: readonly string[];
  taxClass: TaxClass;
  isAlcoholic: boolean;
};

/** An order's facts besides prices that select its promotions. */
export type PromotionQuestion = {
  candidates: readonly Candidate[];
  /** Upper-cased, as entered. */
  codes: readonly string[];
  store: {
    storeId: string;
    type: StoreType;
    country: Country;
    state: string;
    timeZone: string;
    liveSinceEpochS: number | null;
  };
  mode: Mode;
  /** In the order of the order's lines. */
  items: readonly PromotedItem[];
  /** Who has the delivery fee. */
  deliveryOwner: Payer;
  nowEpochS: number;
  /** When the order is served: the start of its slot, or now. */
  servedEpochS: number;
};

type Refused = Omit<RejectedCode, 'code'>;

/** Whether a filter takes an item; all of them without a filter. */
function isOn(filter: ItemFilter | undefined, item: PromotedItem): boolean {
  if (!filter) return true;
  const { products, categories, taxClasses, except } = filter;
  if (except && isOn(except, item)) return false;
  if (!products && !categories && !taxClasses) return true;
  return (
    products?.includes(item.externalId) === true ||
    taxClasses?.includes(item.taxClass) === true ||
    (categories !== undefined && item.categories.some((category) => categories.includes(category)))
  );
}

const DAY_S = 86_400;

/** Whether a promotion is for a store, as far as it names stores, a country or a type. */
export const isForStore = (
  { stores, country, storeType }: Pick<Promotion, 'stores' | 'country' | 'storeType'>,
  store: Pick<PromotionQuestion['store'], 'storeId' | 'country' | 'type'>,
): boolean =>
  stores?.includes(store.storeId) !== false &&
  (country ?? store.country) === store.country &&
  (storeType ?? store.type) === store.type;

/** When a promotion for new stores ends at a store that first took live orders then; Infinity for any other. */
export const newStoreEnd = ({ newStoreDays = Infinity }: Pick<Promotion, 'newStoreDays'>, liveSinceEpochS: number) =>
  liveSinceEpochS + newStoreDays * DAY_S;

/** Why time, store or mode refuse a promotion; undefined if none does. */
function refusalOf(
  promotion: Promotion,
  question: Omit<PromotionQuestion, 'candidates' | 'items'>,
): Rejection | undefined {
  const { startsEpochS, endsEpochS, hours } = promotion;
  const { store, nowEpochS, servedEpochS, mode } = question;
  if (endsEpochS !== undefined && endsEpochS <= nowEpochS) return 'not_valid';
  if (startsEpochS !== undefined && startsEpochS > nowEpochS) return 'not_yet';
  const isOld = nowEpochS >= newStoreEnd(promotion, store.liveSinceEpochS ?? nowEpochS);
  if (isOld || !isForStore(promotion, store)) return 'wrong_store';
  if ((promotion.mode ?? mode) !== mode) return 'wrong_mode';
  if (promotion.terms.kind === 'delivery' && mode !== 'delivery') return 'wrong_mode';
  const isOpen = !hours || openStateAtEpoch(weekLineOf(hours), zoneClock(store.timeZone), servedEpochS).open;
  return isOpen ? undefined : 'wrong_time';
}

/** A line as promotions count it. Prices are the menu's. */
type PromotedLine = {
  /** 0 for goods by weight, which are no units. */
  quantity: number;
  /** A unit without its options. */
  baseCents: number;
  totalCents: number;
  /** The most that discounts may take off: neither more than the store's price nor than the marked one. */
  roomCents: number;
  /** The same of goods by weight at their heaviest. */
  maxRoomCents?: number;
};

/** Lines without alcohol, by their places, and their subtotal at menu prices. */
type Goods = { places: readonly number[]; subtotalCents: number };

function goodsOn(filter: ItemFilter | undefined, { items }: PromotionQuestion, lines: readonly PromotedLine[]): Goods {
  const places: number[] = [];
  let subtotalCents = 0;
  for (const [at, item] of items.entries()) {
    if (item.isAlcoholic || !isOn(filter, item)) continue;
    places.push(at);
    subtotalCents += lines[at]?.totalCents ?? 0;
  }
  return { places, subtotalCents };
}

/** A promotion's lines, or the reason it doesn't apply. */
function goodsFor({ promotion, refusedAs }: Candidate, { question, lines, goods }: Basis): Goods | Refused {
  const early = refusalOf(promotion, question);
  if (early) return { reason: early };
  const { items, itemNames } = promotion;
  const on = items ? goodsOn(items, question, lines) : goods;
  if (on.places.length === 0) {
    return { reason: question.items.some((item) => isOn(items, item)) ? 'only_alcohol' : 'no_matching_items' };
  }
  const missingCents = minimumOf(promotion) - on.subtotalCents;
  if (missingCents > 0) return { reason: 'minimum_not_met', missingCents, ...present({ itemNames }) };
  return refusedAs ? { reason: refusedAs } : on;
}

/** The subtotal that a promotion needs: its own minimum, and its lowest tier's. */
function minimumOf({ minimumSubtotalCents = 0, terms }: Promotion): number {
  if (terms.kind !== 'spend') return minimumSubtotalCents;
  return Math.max(minimumSubtotalCents, Math.min(...terms.tiers.map((tier) => tier.minimumSubtotalCents)));
}

/** A menu's lowered prices, and the promotions that lower them. */
export type MenuPrices = { priceCents: readonly number[]; menuDiscounts: readonly Discount[] };

/**
 * An item's menu price by the promotions of kind `item_price`: the lowest, or the first id's of equal ones. Undefined
 * where none lowers it.
 */
export function menuPriceOf(
  candidates: readonly Promotion[],
  item: PromotedItem,
  listCents: number,
): { priceCents: number; promotion: Promotion } | undefined {
  let best: { priceCents: number; promotion: Promotion } | undefined;
  for (const promotion of item.isAlcoholic ? [] : candidates) {
    const { terms, items, promotionId } = promotion;
    if (terms.kind !== 'item_price' || !isOn(items, item)) continue;
    const priceCents = 'priceCents' in terms ? terms.priceCents : listCents - percentOf(terms.percent, listCents);
    const isLower = best
      ? priceCents < best.priceCents || (priceCents === best.priceCents && promotionId < best.promotion.promotionId)
      : priceCents < listCents;
    if (isLower) best = { priceCents, promotion };
  }
  return best;
}

/** The candidates that time, store and mode do not refuse. */
export const validCandidates = (question: Omit<PromotionQuestion, 'items'>): readonly Candidate[] =>
  question.candidates.filter(({ promotion }) => !refusalOf(promotion, question));

/** The promotions of kind `item_price` that lower a store's menu now. */
export function menuPromotions(question: PromotionQuestion): readonly Promotion[] {
  return validCandidates(question).flatMap(({ promotion, refusedAs }) =>
    promotion.terms.kind === 'item_price' && !refusedAs ? [promotion] : [],
  );
}

/** Lowers the prices of lines without their options; `lineCents` is a line's cost at such a price. */
export function lowerMenuPrices<Line extends { priceCents: number }>(
  question: PromotionQuestion,
  lines: readonly Line[],
  lineCents: (line: Line, priceCents: number) => number,
): MenuPrices {
  const candidates = menuPromotions(question);
  const off = new Map<Promotion, number[]>();
  const priceCents = lines.map((line, at) => {
    const { priceCents: listCents } = line;
    const item = question.items[at];
    const best = item && candidates.length > 0 ? menuPriceOf(candidates, item, listCents) : undefined;
    const lessCents = best ? lineCents(line, listCents) - lineCents(line, best.priceCents) : 0;
    if (!best || lessCents === 0) return listCents;
    const offCents = off.get(best.promotion) ?? lines.map(() => 0);
    offCents[at] = lessCents;
    off.set(best.promotion, offCents);
    return best.priceCents;
  });
  const menuDiscounts = [...off].map(([promotion, lineCents]) =>
    discountOf(promotion, question, { lineCents, deliveryCents: 0 }),
  );
  return { priceCents, menuDiscounts };
}

type Amounts = { lineCents: readonly number[]; deliveryCents: number };

/** A discount by payer: of the whole by percent, then of each line in proportion. */
function discountOf(
  promotion: Promotion,
  { store, deliveryOwner }: PromotionQuestion,
  { on, ...amounts }: Amounts & { on?: Goods },
): Discount {
  const { promotionId, terms, title, code, itemNames, funding } = promotion;
  const { deliveryCents } = amounts;
  const percents = funding.map(({ percent }) => Math.round(percent * MILLIONTHS));
  const cents = splitInProportion(sumCents(amounts.lineCents) + deliveryCents, percents);
  const taxed = { kind: terms.kind, priceOwner: terms.kind === 'delivery' ? deliveryOwner : 'store' } as const;
  let left = amounts.lineCents;
  const parts = funding.map(({ payer }, at): DiscountPart => {
    const own = cents[at] ?? 0;
    const isRest = deliveryCents > 0 || at === funding.length - 1;
    const lineCents = isRest ? left : splitInProportion(own, left);
    left = left.map((line, index) => line - (lineCents[index] ?? 0));
    return { payer, lowersTax: lowersTax(store, payer, taxed), lineCents, deliveryCents: deliveryCents > 0 ? own : 0 };
  });
  return {
    promotionId,
    slot: slotOf(promotion) ?? 'menu',
    terms: frozenTerms(terms, on),
    ...present({ title, code, itemNames: terms.kind === 'spend' ? itemNames : undefined }),
    parts: parts.filter((part) => centsOf(part) > 0),
  };
}

/** The terms with only the effective tier, and without the reduced items, which may be thousands. */
function frozenTerms(terms: PromotionTerms, on?: Goods): PromotionTerms {
  if (terms.kind === 'spend' && on) return { ...terms, tiers: highestTier(terms.tiers, on) };
  if (terms.kind !== 'buy_get') return terms;
  const { getItems: _, ...frozen } = terms;
  return frozen;
}

/** A payer's reduction of a whole order. */
export const centsOf = ({ lineCents, deliveryCents, waivedCents = 0 }: Amounts & { waivedCents?: number }): number =>
  sumCents(lineCents) + deliveryCents + waivedCents;

export const discountCentsOf = ({ parts }: Pick<Discount, 'parts'>): number => sumCents(parts.map(centsOf));

/** Undefined for menu prices, which are in no slot. */
function slotOf({ terms, offeredBy }: Pick<Promotion, 'terms' | 'offeredBy'>): Slot | undefined {
  if (terms.kind === 'item_price') return undefined;
  if (terms.kind === 'delivery') return 'delivery';
  return offeredBy === 'store' ? 'store' : 'market';
}

/** A promotion's reduction: `lineCents` where it isn't proportional to the rest of its lines. */
type Cut = { cents: number; lineCents?: readonly number[] };

type Basis = {
  question: PromotionQuestion;
  lines: readonly PromotedLine[];
  /** All goods of the order. */
  goods: Goods;
  /** The possible reduction of each line, and the rest after earlier slots. */
  rooms: readonly number[];
  left: readonly number[];
  /** The `left` of items sold by weight at their heaviest, after earlier slots. */
  mostLeft: readonly number[];
  deliveryFeeCents: number;
};

type Tier = Extract<PromotionTerms, { kind: 'spend' }>['tiers'][number];

/** The highest tier that the goods reach; none if they reach none. */
const highestTier = (tiers: readonly Tier[], { subtotalCents }: Goods): readonly Tier[] =>
  tiers
    .filter((tier) => tier.minimumSubtotalCents <= subtotalCents)
    .toSorted((a, b) => b.minimumSubtotalCents - a.minimumSubtotalCents)
    .slice(0, 1);

function cutOf(terms: PromotionTerms, on: Goods, basis: Basis): Cut {
  const { left, deliveryFeeCents } = basis;
  const leftCents = on.places.reduce((sum, at) => sum + (left[at] ?? 0), 0);
  switch (terms.kind) {
    case 'item_price':
      return { cents: 0 };
    case 'percent':
      return { cents: Math.min(percentOf(terms.percent, leftCents), terms.maxDiscountCents ?? Infinity, leftCents) };
    case 'amount':
      return { cents: Math.min(terms.amountCents, leftCents) };
    case 'spend':
      return { cents: Math.min(highestTier(terms.tiers, on)[0]?.amountCents ?? 0, leftCents) };
    case 'delivery':
      return { cents: 'toCents' in terms ? deliveryFeeCents : Math.min(terms.amountCents, deliveryFeeCents) };
    case 'buy_get': {
      const lineCents = cutUnits(terms, on.places, basis);
      return { cents: sumCents(lineCents), lineCents };
    }
  }
}

type BuyGet = Extract<PromotionTerms, { kind: 'buy_get' }>;

/**
 * The discounts on each line's lowered units. Units of the same items are grouped by base price, dearest first, and the
 * last `get` of each full group are lowered; for others, the dearest. A discount never exceeds the rest of a unit's
 * price.
 */
function cutUnits(terms: BuyGet, on: readonly number[], { question, lines, left }: Basis): readonly number[] {
  const { buy, get, percent, getItems, times = Infinity } = terms;
  // Items that are free anyway buy nothing, and aren't reduced.
  const paid = (places: readonly number[]) => places.filter((at) => (lines[at]?.totalCents ?? 0) > 0);
  const buys = paid(on);
  const gets = getItems ? paid(goodsOn(getItems, question, lines).places) : buys;
  const countOf = (some: readonly number[]) => sumCents(some.map((at) => lines[at]?.quantity ?? 0));
  const groups = getItems
    ? Math.min(times, Math.floor(countOf(buys) / buy), Math.floor(countOf(gets) / get))
    : Math.min(times, Math.floor(countOf(buys) / (buy + get)));
  // Before the unit at this place, in the order of prices, so many are lowered.
  const skipped = getItems ? 0 : buy;
  const loweredBefore = (place: number) => {
    const size = skipped + get;
    const full = Math.min(Math.floor(place / size), groups);
    return full * get + (full < groups ? Math.max(0, (place % size) - skipped) : 0);
  };
  const cut = lines.map(() => 0);
  let place = 0;
  for (const at of gets.toSorted((a, b) => (lines[b]?.baseCents ?? 0) - (lines[a]?.baseCents ?? 0))) {
    const { quantity = 0, baseCents = 0 } = lines[at] ?? {};
    const lowered = loweredBefore(place + quantity) - loweredBefore(place);
    place += quantity;
    if (lowered === 0) continue;
    const leftCents = Math.floor(((left[at] ?? 0) * lowered) / quantity);
    cut[at] = Math.min(lowered * percentOf(percent, Math.max(0, baseCents)), leftCents);
  }
  return cut;
}

type Offer = Cut & { candidate: Candidate; on: Goods };

/** The most that an offer may take off each line: a percentage follows goods that weigh more than ordered. */
function mostOf(offer: Offer, basis: Basis): readonly number[] {
  const { on, candidate } = offer;
  const { terms } = candidate.promotion;
  const { left, mostLeft } = basis;
  if (terms.kind !== 'percent') return lineCentsOf(offer, left).map((cents, at) => Math.min(cents, mostLeft[at] ?? 0));
  return lineCentsOf({ on, ...cutOf(terms, on, { ...basis, left: mostLeft }) }, mostLeft);
}

/** The larger discount comes first, then an entered code, then the smaller id. */
function compareOffers(a: Offer, b: Offer): number {
  const [one, other] = [a.candidate.promotion, b.candidate.promotion];
  const byCode = Number(other.code !== undefined) - Number(one.code !== undefined);
  return b.cents - a.cents || byCode || (one.promotionId < other.promotionId ? -1 : 1);
}

/** A promotion's reduction, or the reason it doesn't apply. */
function offerOf(candidate: Candidate, basis: Basis): Offer | Refused {
  const on = goodsFor(candidate, basis);
  if ('reason' in on) return on;
  const { terms } = candidate.promotion;
  const { budgetLeftCents } = candidate;
  const cut = cutOf(terms, on, basis);
  const offer = { candidate, on, ...cut };
  const mostCents = () => (terms.kind === 'delivery' ? cut.cents : sumCents(mostOf(offer, basis)));
  if (budgetLeftCents !== undefined && mostCents() > budgetLeftCents) return { reason: 'used_up' };
  if (cut.cents > 0) return offer;
  // Without earlier slots it would take something off.
  if (cutOf(terms, on, { ...basis, left: basis.rooms }).cents > 0) return { reason: 'better_offer_applied' };
  return { reason: lacksUnits(terms, on, basis) ? 'no_matching_items' : 'nothing_to_discount' };
}

/** Whether more units of goods with a price would make a difference. */
function lacksUnits(terms: PromotionTerms, { places: on }: Goods, { question, lines }: Basis): boolean {
  if (terms.kind !== 'buy_get') return false;
  const gets = terms.getItems ? goodsOn(terms.getItems, question, lines).places : on;
  const isPaid = (at: number) => (lines[at]?.totalCents ?? 0) > 0;
  return on.some(isPaid) && (gets.length === 0 || gets.some(isPaid));
}

/** The best of a slot's offers; each other candidate is refused. */
function bestOffer(slot: Slot, basis: Basis, refuse: (candidate: Candidate, why: Refused) => void): Offer | undefined {
  let best: Offer | undefined;
  for (const candidate of basis.question.candidates) {
    const { code } = candidate.promotion;
    if (slotOf(candidate.promotion) !== slot || (code !== undefined && !basis.question.codes.includes(code))) continue;
    const offer = offerOf(candidate, basis);
    const isBest = 'on' in offer && (!best || compareOffers(offer, best) < 0);
    const lost = isBest ? best?.candidate : candidate;
    if (lost) refuse(lost, 'on' in offer ? { reason: 'better_offer_applied' } : offer);
    if (isBest) best = offer;
  }
  return best;
}

/** The discounts of an order's slots, and why its other codes do not apply. */
type SlotDiscounts = { discounts: readonly Discount[]; rejectedCodes: readonly RejectedCode[] };

/** Applies up to one promotion in each slot to lines at menu prices and the delivery fee. */
export function fillSlots(
  question: PromotionQuestion,
  lines: readonly PromotedLine[],
  deliveryFeeCents: number,
): SlotDiscounts {
  const refused = new Map<string, Refused>();
  const refuse = ({ promotion: { code } }: Candidate, why: Refused): void => {
    const known = code === undefined ? undefined : refused.get(code);
    // Several promotions may have one code: the reason of the one closest to applying is used.
    const isCloser = !known || REJECTIONS.indexOf(why.reason) > REJECTIONS.indexOf(known.reason);
    if (code !== undefined && isCloser) refused.set(code, why);
  };
  const goods = goodsOn(undefined, question, lines);
  const rooms = lines.map(({ roomCents }) => roomCents);
  const hasWeights = lines.some(({ quantity }) => quantity === 0);
  let left = rooms;
  let mostLeft = !hasWeights ? rooms : lines.map(({ roomCents, maxRoomCents = roomCents }) => maxRoomCents);
  const discounts: Discount[] = [];
  for (const slot of SLOTS) {
    const basis = { question, lines, goods, rooms, left, mostLeft, deliveryFeeCents };
    const best = bestOffer(slot, basis, refuse);
    if (!best) continue;
    const onFee = { lineCents: lines.map(() => 0), deliveryCents: best.cents };
    const amounts = slot === 'delivery' ? onFee : { lineCents: lineCentsOf(best, left), deliveryCents: 0 };
    const isByWeight = hasWeights && best.candidate.promotion.terms.kind === 'percent';
    const discount = discountOf(best.candidate.promotion, question, { ...amounts, on: best.on });
    discounts.push(isByWeight ? { ...discount, onLines: best.on.places } : discount);
    left = less(left, amounts.lineCents);
    if (!hasWeights) mostLeft = left;
    else if (slot !== 'delivery') mostLeft = less(mostLeft, mostOf(best, basis));
  }
  return { discounts, rejectedCodes: rejectedOf(question.codes, discounts, refused) };
}

const less = (left: readonly number[], gone: readonly number[]) => left.map((cents, at) => cents - (gone[at] ?? 0));

/** An offer's reduction of each line. */
function lineCentsOf({ on, cents, lineCents }: Omit<Offer, 'candidate'>, left: readonly number[]): readonly number[] {
  const weights = left.map((rest, at) => (on.places.includes(at) ? rest : 0));
  return lineCents ?? splitInProportion(cents, weights);
}

function rejectedOf(
  codes: readonly string[],
  discounts: readonly Discount[],
  refused: ReadonlyMap<string, Refused>,
): readonly RejectedCode[] {
  return codes.flatMap((code, at): RejectedCode[] => {
    if (codes.indexOf(code) < at) return [{ code, reason: 'duplicate' }];
    if (discounts.some((discount) => discount.code === code)) return [];
    return [{ code, ...(refused.get(code) ?? { reason: 'not_valid' }) }];
  });
}

/** The discounts' changes to the taxed amounts of the order's lines. */
export type TaxOffs = {
  lines: readonly { taxOffCents: number; menuTaxedCents: number }[];
  deliveryCents: number;
};

/** By the discounts of slots, which lower tax or not, and by menu prices that do not lower it. */
export function taxOffsOf(
  { discounts, menuDiscounts }: { discounts: readonly Discount[]; menuDiscounts: readonly Discount[] },
  lines: readonly unknown[],
): TaxOffs {
  const lowering = discounts.flatMap(({ parts }) => parts.filter((part) => part.lowersTax));
  const taxedMenu = menuDiscounts.flatMap(({ parts }) => parts.filter((part) => !part.lowersTax));
  const ofLine = (parts: readonly DiscountPart[], at: number) =>
    parts.reduce((sum, { lineCents }) => sum + (lineCents[at] ?? 0), 0);
  return {
    lines: lines.map((_, at) => ({ taxOffCents: ofLine(lowering, at), menuTaxedCents: ofLine(taxedMenu, at) })),
    deliveryCents: sumCents(lowering.map(({ deliveryCents }) => deliveryCents)),
  };
}
