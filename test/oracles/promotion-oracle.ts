import {
  deliveryOf,
  feeParts,
  markedUnitOf,
  type OracleCart,
  type OracleLine,
  oraclePrice,
  oracleShares,
  oracleTaxes,
  partsOf,
  percentOfDecimal,
  pricesBy,
  shareOut,
  unitOf,
} from './price-oracle.ts';

/**
 * The algebra of promotions in exact integers, unit by unit and promotion by promotion. Shares neither code nor types
 * with the service. Percentages are decimal strings.
 */

export type OraclePayer = 'store' | 'account' | 'operator';
const PAYERS = ['store', 'account', 'operator'] as const;

export type OracleTerms =
  | { kind: 'item_price'; price: bigint }
  | { kind: 'item_price'; percent: string }
  | { kind: 'percent'; percent: string; max: bigint | null }
  | { kind: 'amount'; amount: bigint }
  | { kind: 'spend'; tiers: readonly { minimum: bigint; amount: bigint }[] }
  | {
      kind: 'buy_get';
      buy: bigint;
      get: bigint;
      percent: string;
      times: bigint | null;
      getLines: readonly number[] | null;
    }
  | { kind: 'delivery'; amount: bigint | null };

export type OraclePromotion = {
  id: string;
  by: OraclePayer;
  terms: OracleTerms;
  /** The percent of each payer, in the order of `PAYERS`. */
  funding: readonly [string, string, string];
  code: string | null;
  /** The positions of lines; null for all. */
  lines: readonly number[] | null;
  minimum: bigint;
  budget: bigint | null;
  refused: string | null;
};

export type OraclePromotedCart = OracleCart & {
  promotions: readonly OraclePromotion[];
  codes: readonly string[];
  /** Of each line. */
  alcohol: readonly boolean[];
  place: { country: 'US' | 'CA'; state: string };
  deliveryOwner: OraclePayer;
};

type Part = { payer: OraclePayer; lowers: boolean; lines: bigint[]; delivery: bigint };
export type OracleDiscount = { id: string; slot: string; parts: Part[] };
export type OracleRejected = { code: string; reason: string; missing: bigint | null };

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
const least = (...amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => (b < a ? b : a));
const at = (amounts: readonly bigint[], index: number): bigint => amounts[index] ?? 0n;
const descending = (a: bigint, b: bigint): number => (a < b ? 1 : Number(a > b) * -1);

/** Whether a payer's part is taken off before tax is computed. */
function isLowering({ country, state }: OraclePromotedCart['place'], isOwn: boolean, kind: string): boolean {
  if (isOwn) return true;
  if (country === 'US') return ['TX', 'MA'].includes(state);
  return !['amount', 'spend', 'delivery'].includes(kind);
}

/** What each payer pays: of the whole, and then of each line. */
function partsOfDiscount(
  cart: OraclePromotedCart,
  { terms, funding }: OraclePromotion,
  lines: bigint[],
  delivery: bigint,
) {
  const weights = funding.map((percent) => BigInt(Math.round(Number(percent) * 1e6)));
  const wholes = shareOut(sum(lines) + delivery, weights);
  const owner = terms.kind === 'delivery' ? cart.deliveryOwner : 'store';
  const last = funding.findLastIndex((percent) => Number(percent) > 0);
  let rest = lines;
  return PAYERS.map((payer, index): Part => {
    const own = index === last ? rest : shareOut(at(wholes, index), rest);
    const ofLines = sum(lines) === 0n ? lines.map(() => 0n) : own;
    rest = rest.map((cents, line) => cents - at(ofLines, line));
    const lowers = isLowering(cart.place, payer === owner, terms.kind);
    return { payer, lowers, lines: ofLines, delivery: delivery === 0n ? 0n : at(wholes, index) };
  }).filter((part) => sum(part.lines) + part.delivery > 0n);
}

/** The lines of a cart at its menu's prices, and the promotions that lowered them. */
function lowerMenu(cart: OraclePromotedCart): { lines: OracleLine[]; menu: OracleDiscount[] } {
  const offs = new Map<string, bigint[]>();
  const lines = cart.lines.map((line, index) => {
    const prices = cart.promotions.flatMap(({ id, terms, lines: own, refused }) => {
      if (terms.kind !== 'item_price' || refused || cart.alcohol[index]) return [];
      if (own && !own.includes(index)) return [];
      const price = 'price' in terms ? terms.price : line.price - percentOfDecimal(terms.percent, line.price);
      return [{ id, price }];
    });
    const [best] = prices.sort((a, b) => -descending(a.price, b.price) || (a.id < b.id ? -1 : 1));
    if (!best || best.price >= line.price) return line;
    const off = offs.get(best.id) ?? cart.lines.map(() => 0n);
    off[index] = (line.price - best.price) * line.quantity;
    offs.set(best.id, off);
    return { ...line, price: best.price };
  });
  const menu = cart.promotions.flatMap((promotion) => {
    const off = offs.get(promotion.id);
    return off ? [{ id: promotion.id, slot: 'menu', parts: partsOfDiscount(cart, promotion, off, 0n) }] : [];
  });
  return { lines, menu };
}

type State = { cart: OraclePromotedCart; lines: OracleLine[]; W: bigint[]; rest: bigint[]; delivery: bigint };
type Verdict = { reason: string; missing: bigint | null } | { cents: bigint; lines: bigint[]; delivery: bigint };

const no = (reason: string, missing: bigint | null = null): Verdict => ({ reason, missing });

/** What each line gives up where units are bought and got, each unit a card in a hand. */
function unitsLowered(
  terms: OracleTerms & { kind: 'buy_get' },
  on: number[],
  { cart, lines, W, rest }: State,
): bigint[] {
  // Free units neither buy nor are got.
  const unitsOf = (some: number[]) =>
    some
      .filter((line) => at(W, line) > 0n)
      .flatMap((line) => Array.from({ length: Number(lines[line]?.quantity ?? 0n) }, () => line));
  const price = (line: number) => lines[line]?.price ?? 0n;
  const dearest = (some: number[]) => unitsOf(some).sort((a, b) => descending(price(a), price(b)));
  const lowered: number[] = [];
  const [buy, get, times] = [Number(terms.buy), Number(terms.get), Number(terms.times ?? 1_000_000n)];
  if (terms.getLines) {
    const gets = dearest(terms.getLines.filter((line) => line < lines.length && !cart.alcohol[line]));
    let bought = unitsOf(on).length;
    for (let turn = 0; turn < times && bought >= buy && gets.length >= get; turn += 1) {
      bought -= buy;
      lowered.push(...gets.splice(0, get));
    }
  } else {
    const hand = dearest(on);
    for (let turn = 0; turn < times && hand.length >= buy + get; turn += 1)
      lowered.push(...hand.splice(0, buy + get).slice(buy));
  }
  return lines.map((line, index) => {
    const count = BigInt(lowered.filter((one) => one === index).length);
    return least(count * percentOfDecimal(terms.percent, price(index)), (at(rest, index) * count) / line.quantity);
  });
}

function judge(promotion: OraclePromotion, state: State): Verdict {
  const { cart, lines, W, rest, delivery } = state;
  const { terms, minimum, refused } = promotion;
  if (terms.kind === 'delivery' && cart.pickup) return no('wrong_mode');
  const matching = lines.map((_, index) => index).filter((index) => promotion.lines?.includes(index) ?? true);
  const on = matching.filter((index) => !cart.alcohol[index]);
  if (on.length === 0) return no(matching.length > 0 ? 'only_alcohol' : 'no_matching_items');
  const spent = sum(on.map((index) => at(W, index)));
  const lowest = terms.kind === 'spend' ? least(...terms.tiers.map((tier) => tier.minimum)) : 0n;
  const needed = lowest > minimum ? lowest : minimum;
  if (spent < needed) return no('minimum_not_met', needed - spent);
  if (refused) return no(refused);
  const nothing = lines.map(() => 0n);
  const E = sum(on.map((index) => at(rest, index)));
  const spread = (cents: bigint): Verdict => {
    const D = least(cents, E);
    return {
      cents: D,
      delivery: 0n,
      lines: shareOut(
        D,
        rest.map((r, index) => (on.includes(index) ? r : 0n)),
      ),
    };
  };
  switch (terms.kind) {
    case 'percent': {
      const cents = percentOfDecimal(terms.percent, E);
      return spread(terms.max === null ? cents : least(cents, terms.max));
    }
    case 'amount':
      return spread(terms.amount);
    case 'spend': {
      const reached = terms.tiers.filter((tier) => tier.minimum <= spent);
      return spread(reached.sort((a, b) => descending(a.minimum, b.minimum))[0]?.amount ?? 0n);
    }
    case 'buy_get': {
      const lowered = unitsLowered(terms, on, state);
      return { cents: sum(lowered), lines: lowered, delivery: 0n };
    }
    case 'delivery': {
      const cents = terms.amount === null ? delivery : least(terms.amount, delivery);
      return { cents, lines: nothing, delivery: cents };
    }
    default:
      return { cents: 0n, lines: nothing, delivery: 0n };
  }
}

/** From the farthest from applying to the nearest. */
const NEARNESS =
  'wrong_mode minimum_not_met no_matching_items only_alcohol first_order_only already_used used_up nothing_to_discount better_offer_applied'.split(
    ' ',
  );

const slotOf = ({ terms, by }: OraclePromotion): string => {
  if (terms.kind === 'item_price') return 'menu';
  if (terms.kind === 'delivery') return 'delivery';
  return by === 'store' ? 'store' : 'market';
};

/** What a promotion takes off in its slot, or why it takes nothing. */
function outcomeOf(promotion: OraclePromotion, state: State, room: bigint[]): Verdict {
  const verdict = judge(promotion, state);
  if ('reason' in verdict || verdict.cents > 0n) {
    const isBeyond = 'cents' in verdict && promotion.budget !== null && verdict.cents > promotion.budget;
    return isBeyond ? no('used_up') : verdict;
  }
  // Without the offers of earlier slots it would take something off, so these are better.
  const whole = judge(promotion, { ...state, rest: room });
  if ('cents' in whole && whole.cents > 0n) return no('better_offer_applied');
  return no(lacksUnits(promotion, state) ? 'no_matching_items' : 'nothing_to_discount');
}

/** Whether priced units would be bought and got if there were enough of them. */
function lacksUnits({ terms, lines: named }: OraclePromotion, { cart, lines, W }: State): boolean {
  if (terms.kind !== 'buy_get') return false;
  const sober = lines.map((_, index) => index).filter((index) => !cart.alcohol[index]);
  const isPriced = (index: number) => at(W, index) > 0n;
  const on = sober.filter((index) => named?.includes(index) ?? true);
  const gets = terms.getLines ? sober.filter((index) => terms.getLines?.includes(index)) : on;
  return on.some(isPriced) && (gets.length === 0 || gets.some(isPriced));
}

/** Whether the first of two offers is better: larger, otherwise entered, otherwise of the smaller id. */
function byRank(a: Offer, b: Offer): number {
  const bySize = descending(a.cents, b.cents);
  if (bySize !== 0) return bySize;
  if ((a.promotion.code === null) !== (b.promotion.code === null)) return a.promotion.code === null ? 1 : -1;
  return a.promotion.id < b.promotion.id ? -1 : 1;
}
type Offer = { promotion: OraclePromotion; cents: bigint; lines: bigint[]; delivery: bigint };

/** The winners of the slots, what they leave of each line, and why other codes do not apply. */
function fillSlots(cart: OraclePromotedCart, state: Omit<State, 'rest' | 'cart'>, room: bigint[]) {
  const why = new Map<string, Omit<OracleRejected, 'code'>>();
  const note = ({ code }: OraclePromotion, reason: string, missing: bigint | null = null) => {
    const known = code === null ? undefined : why.get(code)?.reason;
    const isNearer = known === undefined || NEARNESS.indexOf(reason) > NEARNESS.indexOf(known);
    if (code !== null && isNearer) why.set(code, { reason, missing });
  };
  const discounts: OracleDiscount[] = [];
  const applied = new Set<string>();
  let rest = room;
  for (const slot of ['store', 'market', 'delivery']) {
    const offers: Offer[] = [];
    for (const promotion of cart.promotions) {
      const isOpen = promotion.code === null || cart.codes.includes(promotion.code);
      if (slotOf(promotion) !== slot || !isOpen) continue;
      const outcome = outcomeOf(promotion, { ...state, cart, rest }, room);
      if ('reason' in outcome) note(promotion, outcome.reason, outcome.missing);
      else offers.push({ promotion, ...outcome });
    }
    const [winner, ...losers] = offers.sort(byRank);
    for (const { promotion } of losers) note(promotion, 'better_offer_applied');
    if (!winner) continue;
    const { promotion, lines, delivery } = winner;
    discounts.push({ id: promotion.id, slot, parts: partsOfDiscount(cart, promotion, lines, delivery) });
    if (promotion.code !== null) applied.add(promotion.code);
    rest = rest.map((cents, index) => cents - at(lines, index));
  }
  const rejected = cart.codes.flatMap((code, index): OracleRejected[] => {
    if (cart.codes.indexOf(code) < index) return [{ code, reason: 'duplicate', missing: null }];
    return applied.has(code) ? [] : [{ code, ...(why.get(code) ?? { reason: 'not_valid', missing: null }) }];
  });
  return { discounts, rest, rejected };
}

/** Every amount of an order with promotions, by its name in the algebra. */
export function oraclePromotions(cart: OraclePromotedCart) {
  const { lines, menu } = lowerMenu(cart);
  const plain = oraclePrice({ ...cart, lines });
  const W = lines.map((line) => unitOf(line) * line.quantity);
  const marked = lines.map((line, index) => (cart.pricesMarked ? markedUnitOf(line) * line.quantity : at(W, index)));
  const parts = lines.map((line) =>
    partsOf(line, cart.pricesMarked).map((part) => ({ ...part, room: least(part.store, part.marked) })),
  );
  const room = lines.map((_, index) =>
    least(at(W, index), at(marked, index), sum((parts[index] ?? []).map((part) => part.room))),
  );
  const delivery = cart.pickup ? 0n : deliveryOf(cart.delivery, cart.slot, plain.subtotal);
  const { discounts, rest, rejected } = fillSlots(cart, { lines, W, delivery }, room);
  const cut = (some: readonly OracleDiscount[], lowers: boolean, of: (part: Part) => bigint) =>
    sum(some.flatMap((discount) => discount.parts.filter((part) => part.lowers === lowers).map(of)));
  const taxed = parts.flatMap((own, index) => {
    const lowered = shareOut(
      cut(discounts, true, (part) => at(part.lines, index)),
      own.map((part) => part.room),
    );
    const taxedMenu = cut(menu, false, (part) => at(part.lines, index));
    return own.map((part, n) => ({ ...part, store: part.store - at(lowered, n) + (n === 0 ? taxedMenu : 0n) }));
  });
  const goods = parts.flat();
  const isDeliveryTaxed = (cart.slot ?? cart.delivery).taxable;
  const service = cart.pickup ? cart.pickupService : cart.service;
  const fees = [
    isDeliveryTaxed ? delivery - cut(discounts, true, (part) => part.delivery) : 0n,
    service?.taxable ? plain.service : 0n,
  ].map((fee) => feeParts(fee, goods));
  const taxes = oracleTaxes(cart, [...pricesBy(taxed, ({ store }) => store), ...fees.flat()]);
  const markups = goods.map(({ marked: one, store }) => one - store);
  const bearers = [
    ...taxed.map(({ taxClass, store }, index) => [{ taxClass, cents: store + at(markups, index) }]),
    ...fees,
    feeParts(cart.added.taxable ? plain.addedFee : 0n, goods),
  ];
  const all = discounts.flatMap((discount) => discount.parts);
  const D = sum(all.map((part) => sum(part.lines) + part.delivery));
  const tax = sum(taxes);
  const totalWithoutTips = plain.totalWithoutTips - plain.tax + tax - D;
  return {
    ...plain,
    discounts,
    menu,
    rejected,
    D,
    rest,
    taxes,
    tax,
    totalWithoutTips,
    totalWithTip: plain.totalWithTip - plain.tax + tax - D,
    shares: oracleShares(
      cart,
      taxes.map((cents, index) => cents + at(plain.addedTaxes, index)),
      bearers,
    ),
    listUnits: cart.lines.map(unitOf),
  };
}
