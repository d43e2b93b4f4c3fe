import { feeParts, oracleTaxes, percentOfDecimal, shareOut } from './price-oracle.ts';

/*
 * What an order with goods by weight is estimated at, what is held for it and what is captured, straight from its
 * algebra (A1 to A6) in whole numbers. Shares no code with the service. Weights are thousandths.
 */

export type OracleGoods = {
  price: bigint;
  marked: bigint | null;
  taxClass: string;
  /** The options' price, once per line or unit. */
  option: { cents: bigint; taxClass: string };
  /** Units of goods that are sold by the piece. */
  quantity: bigint;
  weight: { per: bigint; ordered: bigint; tolerance: bigint } | null;
};
export type OracleOffer = {
  /** In its order: of the store, then of the marketplace. */
  kind: 'percent' | 'amount';
  percent: string;
  max: bigint | null;
  amount: bigint;
  lines: readonly number[];
  lowersTax: boolean;
};
export type OracleWeighedCart = {
  goods: readonly OracleGoods[];
  /** Percent off the price of these lines, without options. */
  menu: { percent: string; lines: readonly number[]; lowersTax: boolean } | null;
  offers: readonly OracleOffer[];
  delivery: { flat: bigint; from: bigint; low: bigint; taxable: boolean };
  service: { percent: string; min: bigint; max: bigint; taxable: boolean };
  small: { flat: bigint; below: bigint };
  added: { flat: bigint; percent: string; taxable: boolean };
  taxes: readonly { percent: string; classes: readonly string[] | null }[];
  tip: bigint;
};
/**
 * What is handed off: units, or a weight with what a price label says; 0 is a missing item. Of a substitute, units of
 * its price.
 */
export type OracleHanded = {
  amount: bigint;
  label?: bigint;
  substitute?: { unit: bigint; marked: bigint; taxClass: string };
};

type Fees = { delivery: bigint; service: bigint; small: bigint; added: bigint };
type Priced = Fees & {
  goods: bigint[];
  units: bigint[];
  marked: bigint[];
  discounts: bigint[][];
  tax: bigint;
  total: bigint;
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const half = (over: bigint, under: bigint): bigint =>
  over < 0n ? -((-2n * over + under) / (2n * under)) : (2n * over + under) / (2n * under);

/** Up to the next thousandth. */
export const oracleMax = ({ ordered, tolerance }: { ordered: bigint; tolerance: bigint }): bigint =>
  (ordered * (100n + tolerance) + 99n) / 100n;

/** A price label's weight. */
export const labelWeight = (label: bigint, price: bigint, per: bigint): bigint => half(label * per, price);

/** A menu's price that takes nothing off the estimate is none. */
function menuPrice({ menu }: OracleWeighedCart, { price, weight }: OracleGoods, at: number): bigint {
  if (!menu?.lines.includes(at)) return price;
  const lowered = price - percentOfDecimal(menu.percent, price);
  const isLess = !weight || half(price * weight.ordered, weight.per) > half(lowered * weight.ordered, weight.per);
  return isLess ? lowered : price;
}

type Lines = ReturnType<typeof linesOf>;

function linesOf(cart: OracleWeighedCart, handed: readonly OracleHanded[]) {
  return cart.goods.map((one, at) => {
    const { amount, label, substitute } = handed[at] ?? { amount: 0n };
    if (substitute) {
      const { unit, marked, taxClass } = substitute;
      return { k: amount, unit, marked, isOther: true, menuOff: 0n, parts: [{ taxClass, store: unit, marked }] };
    }
    const { weight, option } = one;
    const costs = (price: bigint) => {
      if (!weight) return price;
      const cents = half(price * amount, weight.per);
      return label === undefined ? cents : greater(0n, label + cents - half(one.price * amount, weight.per));
    };
    const own = costs(menuPrice(cart, one, at));
    const marked = costs(one.marked ?? menuPrice(cart, one, at));
    const isOther = option.taxClass !== one.taxClass && option.cents > 0n;
    const beside = isOther ? 0n : option.cents;
    return {
      k: weight ? (amount > 0n ? 1n : 0n) : amount,
      isOther: false,
      unit: own + option.cents,
      marked: marked + option.cents,
      menuOff: costs(one.price) - own,
      parts: [
        { taxClass: one.taxClass, store: own + beside, marked: marked + beside },
        ...(isOther ? [{ taxClass: option.taxClass, store: option.cents, marked: option.cents }] : []),
      ],
    };
  });
}

const roomOf = ({ unit, marked, parts, k }: Lines[number]): bigint =>
  k * lesser(lesser(unit, marked), sum(parts.map((part) => greater(0n, lesser(part.store, part.marked)))));

const partsOf = (lines: Lines) =>
  lines.flatMap(({ parts, k }) =>
    parts.map(({ taxClass, store, marked }) => ({ taxClass, store: store * k, marked: marked * k })),
  );

/** The discount of each offer by line, of which a substitute keeps its part; `frozen` are those of the estimate, of `old` lines. */
function discountsOf(cart: OracleWeighedCart, lines: Lines, frozen?: { discounts: bigint[][]; old: Lines }) {
  let left = lines.map(roomOf);
  return cart.offers.map((offer, nth) => {
    const on = left.map((cents, at) => (offer.lines.includes(at) && !lines[at]?.isOther ? cents : 0n));
    const kept = lines.map(({ unit, k, isOther }, at) => {
      const [d, old] = [frozen?.discounts[nth]?.[at] ?? 0n, frozen?.old[at]];
      if (d === 0n || !old) return 0n;
      const isByWeight = cart.goods[at]?.weight;
      const ofUnits = isByWeight ? d * k : d - half(d * (old.k - k), old.k);
      const cents = isByWeight || isOther ? lesser(ofUnits, half(ofUnits * unit, old.unit)) : ofUnits;
      return lesser(cents, left[at] ?? 0n);
    });
    const keeps = kept.map((cents, at) => (lines[at]?.isOther ? cents : 0n));
    const wanted = offer.kind === 'amount' ? offer.amount : percentOfDecimal(offer.percent, sum(on));
    // An offer that took nothing off the estimate was not used.
    const isAnew = !frozen || (offer.kind === 'percent' && sum(frozen.discounts[nth] ?? []) > 0n);
    const D = lesser(
      lesser(wanted, offer.kind === 'percent' && offer.max !== null ? offer.max - sum(keeps) : wanted),
      sum(on),
    );
    const lineCents = isAnew ? shareOut(D, on).map((cents, at) => cents + (keeps[at] ?? 0n)) : kept;
    left = left.map((cents, at) => cents - (lineCents[at] ?? 0n));
    return lineCents;
  });
}

function priceAt(
  cart: OracleWeighedCart,
  handed: readonly OracleHanded[],
  fees: (subtotal: bigint) => Fees,
  estimate?: { price: Priced; handed: readonly OracleHanded[] },
): Priced {
  const lines = linesOf(cart, handed);
  const old = estimate ? linesOf(cart, estimate.handed) : lines;
  const subtotal = sum(lines.map(({ unit, k }) => unit * k));
  const { delivery, service, small, added } = fees(subtotal);
  const discounts = discountsOf(cart, lines, estimate && { discounts: estimate.price.discounts, old });
  const lowering = cart.offers.map(({ lowersTax }) => lowersTax);
  const taxed = lines.flatMap((line, at) => {
    const off = sum(discounts.map((lineCents, nth) => (lowering[nth] ? (lineCents[at] ?? 0n) : 0n)));
    const rooms = line.parts.map((part) => greater(0n, lesser(part.store, part.marked)));
    const offs = shareOut(off, rooms);
    const menuTaxed = cart.menu && !cart.menu.lowersTax ? line.menuOff * line.k : 0n;
    return line.parts.map(({ taxClass, store }, part) => ({
      taxClass,
      cents: store * line.k - (offs[part] ?? 0n) + (part === 0 ? menuTaxed : 0n),
    }));
  });
  const markup = partsOf(lines).map(({ taxClass, store, marked }) => ({ taxClass, cents: marked - store }));
  const ordered = partsOf(old);
  const onFee = (cents: bigint, isTaxable: boolean) => feeParts(isTaxable ? cents : 0n, ordered);
  const rates = {
    taxPercent: '0',
    namedTaxes: cart.taxes.map(({ percent }) => percent),
    taxClasses: cart.taxes.map(({ classes }) => classes && [...classes]),
  };
  const tax = sum([
    ...oracleTaxes(rates, [
      ...taxed,
      ...onFee(delivery, cart.delivery.taxable),
      ...onFee(service, cart.service.taxable),
    ]),
    ...oracleTaxes(rates, [...markup, ...onFee(added, cart.added.taxable)]),
  ]);
  const isNothing = lines.every(({ k }) => k === 0n);
  const goods = sum(lines.map(({ marked, k }) => marked * k));
  const total = goods + delivery + service + small + added + tax + cart.tip - sum(discounts.flat());
  return {
    delivery,
    service,
    small,
    added,
    goods: lines.map(({ unit, k }) => unit * k),
    units: lines.map(({ unit }) => unit),
    marked: lines.map(({ marked }) => marked),
    discounts,
    tax,
    total: isNothing ? 0n : total,
  };
}

const feesAt =
  ({ delivery, service, small, added }: OracleWeighedCart) =>
  (S: bigint): Fees => ({
    delivery: S >= delivery.from ? delivery.low : delivery.flat,
    service: lesser(service.max, greater(service.min, percentOfDecimal(service.percent, S))),
    small: S < small.below ? small.flat : 0n,
    added: added.flat + percentOfDecimal(added.percent, S),
  });

/** The estimate, the hold, and the amount captured for the goods handed off. */
export function oracleWeighed(cart: OracleWeighedCart, handed: readonly OracleHanded[]) {
  const ordered = cart.goods.map(({ weight, quantity }) => ({ amount: weight ? weight.ordered : quantity }));
  const heaviest = cart.goods.map(({ weight, quantity }) => ({ amount: weight ? oracleMax(weight) : quantity }));
  const E = priceAt(cart, ordered, feesAt(cart));
  const estimate = { price: E, handed: ordered };
  const held = greater(E.total, priceAt(cart, heaviest, () => E, estimate).total);
  const subtotal = sum(E.goods);
  const isNothing = handed.every(({ amount }) => amount === 0n);
  const agreed = (S: bigint): Fees => {
    if (isNothing) return { delivery: 0n, service: 0n, small: 0n, added: 0n };
    const fees = feesAt(cart)(S);
    // A threshold that was reached stays reached.
    const reached = subtotal >= cart.delivery.from && S < cart.delivery.from;
    return {
      delivery: lesser(E.delivery, reached ? lesser(fees.delivery, cart.delivery.low) : fees.delivery),
      service: lesser(E.service, fees.service),
      small: lesser(E.small, fees.small),
      added: lesser(E.added, fees.added),
    };
  };
  const F = priceAt(cart, handed, agreed, estimate);
  const isAbove = cart.goods.some(
    ({ weight }, at) =>
      weight &&
      (handed[at]?.amount ?? 0n) > 0n &&
      ((!handed[at]?.substitute && (handed[at]?.amount ?? 0n) > weight.ordered) ||
        (F.units[at] ?? 0n) > (E.units[at] ?? 0n) ||
        (F.marked[at] ?? 0n) > (E.marked[at] ?? 0n)),
  );
  return { estimate: E, held, final: F, captured: isNothing ? 0n : lesser(F.total, isAbove ? held : E.total), isAbove };
}
