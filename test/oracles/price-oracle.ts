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
};
export type OracleLine = { price: bigint; quantity: bigint; marked: bigint | null; options: OracleOption[] };
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

export function unitOf({ price, options }: OracleLine): bigint {
  return options.reduce((sum, option) => sum + effectivePrice(options, option) * times(options, option), price);
}

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

/** The taxes of an amount, each rounded once: the named ones, or the single rate. */
export function oracleTaxes({ taxPercent, namedTaxes }: Pick<OracleCart, 'taxPercent' | 'namedTaxes'>, base: bigint) {
  return (namedTaxes ?? [taxPercent]).map((percent) => percentOfDecimal(percent, base));
}

/** Every amount of an order, by its name in the formulas. */
export function oraclePrice(cart: OracleCart) {
  const S = sum(cart.lines.map((line) => unitOf(line) * line.quantity));
  const delivery = cart.pickup ? 0n : deliveryOf(cart.delivery, cart.slot, S);
  const rule = cart.pickup ? cart.pickupService : cart.service;
  const service = serviceOf(rule, S);
  const small = S < cart.small.minimum ? feeOf(cart.small, S) : 0n;
  const deliveryTaxable = (cart.slot ?? cart.delivery).taxable;
  const taxed = S + (deliveryTaxable ? delivery : 0n) + (rule?.taxable ? service : 0n);
  const taxes = oracleTaxes(cart, taxed);
  const tax = sum(taxes);
  const totalWithoutTips = S + delivery + service + small + tax;
  const M = cart.pricesMarked ? sum(cart.lines.map((line) => (markedUnitOf(line) - unitOf(line)) * line.quantity)) : 0n;
  const addedFee = feeOf(cart.added, S);
  const addedTaxes = oracleTaxes(cart, M + (cart.added.taxable ? addedFee : 0n));
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
