/**
 * The money formulas in rational arithmetic on flat lists. Shares neither code nor types with the service. Percentages
 * are decimal strings, amounts are bigints.
 */
type Rational = { over: bigint; under: bigint };

function rationalOf(decimal: string): Rational {
  const [mantissa = '0', exponent = '0'] = decimal.split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const places = BigInt(fraction.length) - BigInt(exponent);
  const over = BigInt(whole + fraction);
  return places >= 0n ? { over, under: 10n ** places } : { over: over * 10n ** -places, under: 1n };
}

function roundHalfAway({ over, under }: Rational): bigint {
  const twice = over < 0n ? 2n * over - under : 2n * over + under;
  return twice / (2n * under);
}

/** `decimal` percent of an amount, rounded half away from zero. */
export function percentOfDecimal(decimal: string, cents: bigint): bigint {
  const { over, under } = rationalOf(decimal);
  return roundHalfAway({ over: over * cents, under: under * 100n });
}

export type OracleOption = {
  id: string;
  parent: number | null;
  price: bigint;
  quantity: bigint;
  marked: bigint | null;
  conditional: [string, bigint][];
  /** Null or absent: the line's. */
  taxClass?: string | null;
};
export type OracleLine = {
  price: bigint;
  quantity: bigint;
  marked: bigint | null;
  options: OracleOption[];
  /** Absent: one that every tax without classes is on. */
  taxClass?: string;
};
export type OracleFee = { flat: bigint; percent: string };
export type OracleService = OracleFee & { min: bigint; max: bigint | null; taxable: boolean };

export type OracleDelivery = OracleFee & { taxable: boolean; thresholds: (OracleFee & { minimum: bigint })[] };
export type OracleSmall = OracleFee & { minimum: bigint };

export type OracleCart = {
  pickup: boolean;
  lines: OracleLine[];
  delivery: OracleDelivery;
  slot: (OracleFee & { taxable: boolean }) | null;
  service: OracleService;
  pickupService: OracleService | null;
  small: OracleSmall;
  taxPercent: string;
  /** Tax names, if the feed itemizes taxes; `taxPercent` is then ignored. */
  namedTaxes: string[] | null;
  /** The classes of each named tax; null or absent: all but exempt. */
  taxClasses?: (string[] | null)[];
  /** The number of the first ones that are rates of one tax; absent: one. */
  ratesOfFirst?: number;
  tip: bigint;
  pricesMarked: boolean;
  added: OracleFee & { taxable: boolean };
  misc: bigint[];
};

function times(options: OracleOption[], option: OracleOption): bigint {
  const parent = option.parent === null ? undefined : options[option.parent];
  return parent ? option.quantity * times(options, parent) : option.quantity;
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));

function effectivePrice(options: OracleOption[], option: OracleOption): bigint {
  const prices = option.conditional
    .filter(([key]) => key !== option.id && options.some((other) => other.id === key))
    .map(([, price]) => price);
  return prices.sort(ascending).at(-1) ?? option.price;
}

export const unitOf = ({ price, options }: OracleLine): bigint =>
  options.reduce((sum, option) => sum + effectivePrice(options, option) * times(options, option), price);

export function markedUnitOf({ price, marked, options }: OracleLine): bigint {
  return options.reduce(
    (sum, option) => sum + (option.marked ?? effectivePrice(options, option)) * times(options, option),
    marked ?? price,
  );
}

const feeOf = ({ flat, percent }: OracleFee, base: bigint): bigint => flat + percentOfDecimal(percent, base);

export function deliveryOf(delivery: OracleDelivery, slot: OracleFee | null, subtotal: bigint): bigint {
  const reached = delivery.thresholds.filter(({ minimum }) => minimum <= subtotal);
  const best = reached.find(({ minimum }) => reached.every((other) => other.minimum <= minimum));
  return feeOf(best ?? slot ?? delivery, subtotal);
}

function serviceOf(service: OracleService | null, subtotal: bigint): bigint {
  if (!service) return 0n;
  const fee = feeOf(service, subtotal);
  if (service.max !== null && (fee > service.max || service.min > service.max)) return service.max;
  return [fee, service.min].sort(ascending).at(-1) ?? 0n;
}

const sum = (amounts: bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** Cents of a class, at the store's price and at the marked one. */
export type OraclePart = { taxClass: string; store: bigint; marked: bigint };

/** Options in the order of a menu: each before those that open with it. */
const inMenuOrder = (options: OracleOption[], parent: number | null = null): OracleOption[] =>
  options.flatMap((option, at) => (option.parent === parent ? [option, ...inMenuOrder(options, at)] : []));

/** What the units of a line have of each class: of its own first. */
export function partsOf(line: OracleLine, pricesMarked: boolean): OraclePart[] {
  const own = line.taxClass ?? 'general';
  const options = inMenuOrder(line.options);
  const classes = new Set([own, ...options.map(({ taxClass }) => taxClass ?? own)]);
  return [...classes].map((taxClass) => {
    const base = taxClass === own ? line.price : 0n;
    const part = { store: base, marked: taxClass === own && pricesMarked ? (line.marked ?? base) : base };
    for (const option of options.filter((one) => (one.taxClass ?? own) === taxClass)) {
      const price = effectivePrice(line.options, option);
      const count = times(line.options, option);
      part.store += price * count;
      part.marked += (pricesMarked ? (option.marked ?? price) : price) * count;
    }
    return { taxClass, store: part.store * line.quantity, marked: part.marked * line.quantity };
  });
}

/** Splits cents by weights: gives single cents, each to the first of those that are furthest below their exact share. */
export function shareOut(cents: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum([...weights]);
  if (whole === 0n) return weights.map(() => 0n);
  const given = weights.map((weight) => (cents * weight) / whole);
  for (let left = cents - sum(given); left > 0n; left -= 1n) {
    const behind = weights.map((weight, at) => cents * weight - (given[at] ?? 0n) * whole);
    const most = behind.reduce((high, one) => (one > high ? one : high));
    const at = behind.indexOf(most);
    given[at] = (given[at] ?? 0n) + 1n;
  }
  return given;
}

/** Cents of one class. */
type OfClass = { taxClass: string; cents: bigint };

/** A scale that makes every percentage of a test whole. */
const SCALE = 10n ** 20n;

function scaledPercent(decimal: string): bigint {
  const { over, under } = rationalOf(decimal);
  return (over * SCALE) / under;
}

/** Each tax as its scaled percents by class. */
export function oracleRates({ taxPercent, namedTaxes, taxClasses, ratesOfFirst = 1 }: OracleTaxes) {
  const rates = (namedTaxes ?? [taxPercent]).map((percent, at) => {
    const classes = namedTaxes ? (taxClasses?.[at] ?? null) : null;
    return (taxClass: string) =>
      taxClass !== 'exempt' && (classes === null || classes.includes(taxClass)) ? scaledPercent(percent) : 0n;
  });
  const first = rates.slice(0, ratesOfFirst);
  const together = (taxClass: string) => sum(first.map((rate) => rate(taxClass)));
  return [together, ...rates.slice(ratesOfFirst)];
}
type OracleTaxes = Pick<OracleCart, 'taxPercent' | 'namedTaxes' | 'taxClasses' | 'ratesOfFirst'>;

const CLASSES = 'prepared_food grocery candy soft_drink alcohol supplement general exempt'.split(' ');

/** A fee by class: in proportion to the subtotals of the goods, otherwise `general`. */
export function feeParts(fee: bigint, goods: readonly OraclePart[]): OfClass[] {
  const subtotals = CLASSES.map((one) =>
    sum(goods.filter(({ taxClass }) => taxClass === one).map(({ store }) => store)),
  );
  const taxable = sum(subtotals) - (subtotals.at(-1) ?? 0n);
  if (taxable === 0n) return [{ taxClass: 'general', cents: fee }];
  const shares = shareOut(fee, subtotals);
  return CLASSES.map((taxClass, at) => ({ taxClass, cents: shares[at] ?? 0n }));
}

/** What each tax is on a list of amounts, times the scale of percents. */
const exactTax = (rate: (taxClass: string) => bigint, amounts: readonly OfClass[]): bigint =>
  sum(amounts.map(({ taxClass, cents }) => rate(taxClass) * cents));

/** The taxes on amounts of several classes, each rounded once. */
export const oracleTaxes = (cart: OracleTaxes, amounts: readonly OfClass[]): bigint[] =>
  oracleRates(cart).map((rate) => roundHalfAway({ over: exactTax(rate, amounts), under: 100n * SCALE }));

/** Each amount's part of the taxes; some amounts have several classes. */
export function oracleShares(cart: OracleTaxes, taxes: readonly bigint[], bearers: readonly OfClass[][]): bigint[][] {
  return oracleRates(cart).map((rate, at) =>
    shareOut(
      taxes[at] ?? 0n,
      bearers.map((amounts) => exactTax(rate, amounts)),
    ),
  );
}

/** The parts of goods at a price of theirs. */
export const pricesBy = (parts: readonly OraclePart[], of: (part: OraclePart) => bigint): OfClass[] =>
  parts.map((part) => ({ taxClass: part.taxClass, cents: of(part) }));

/** Every amount of an order, by its name in the formulas. */
export function oraclePrice(cart: OracleCart) {
  const S = sum(cart.lines.map((line) => unitOf(line) * line.quantity));
  const delivery = cart.pickup ? 0n : deliveryOf(cart.delivery, cart.slot, S);
  const rule = cart.pickup ? cart.pickupService : cart.service;
  const service = serviceOf(rule, S);
  const small = S < cart.small.minimum ? feeOf(cart.small, S) : 0n;
  const deliveryTaxable = (cart.slot ?? cart.delivery).taxable;
  const parts = cart.lines.flatMap((line) => partsOf(line, cart.pricesMarked));
  const taxes = oracleTaxes(cart, [
    ...pricesBy(parts, ({ store }) => store),
    ...feeParts(deliveryTaxable ? delivery : 0n, parts),
    ...feeParts(rule?.taxable ? service : 0n, parts),
  ]);
  const tax = sum(taxes);
  const totalWithoutTips = S + delivery + service + small + tax;
  const M = cart.pricesMarked ? sum(cart.lines.map((line) => (markedUnitOf(line) - unitOf(line)) * line.quantity)) : 0n;
  const addedFee = feeOf(cart.added, S);
  const addedTaxes = oracleTaxes(cart, [
    ...pricesBy(parts, ({ store, marked }) => marked - store),
    ...feeParts(cart.added.taxable ? addedFee : 0n, parts),
  ]);
  const addedTax = sum(addedTaxes);
  const tip = cart.pickup ? 0n : cart.tip;
  const misc = sum(cart.misc);
  return {
    subtotal: S,
    delivery,
    service,
    small,
    tax,
    taxes,
    totalWithoutTips,
    markup: M,
    addedFee,
    addedTax,
    addedTaxes,
    misc,
    tip,
    totalWithTip: totalWithoutTips + tip + M + addedFee + addedTax + misc,
    profit: M + addedFee,
    units: cart.lines.map(unitOf),
    markedUnits: cart.lines.map(markedUnitOf),
  };
}
