/** The price of an adjusted order, straight from the rules in rational arithmetic. Shares no code with the service. */
import {
  markedUnitOf,
  type OracleCart,
  type OracleFee,
  type OracleLine,
  type OraclePart,
  oraclePrice,
  oracleTaxes,
  partsOf,
  percentOfDecimal,
  shareOut,
  taxedParts,
  unitOf,
} from './price-oracle.ts';

/** What is handed over of a line: its units, or another product as a substitute. */
export type HandedOver = { quantity: bigint; substitute: OracleLine | null };

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const sum = (amounts: bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);
const feeOf = ({ flat, percent }: OracleFee, base: bigint): bigint => flat + percentOfDecimal(percent, base);

/** The lowest delivery fee for subtotals from `low` to `high`; within a range of one rate it is at the start. */
function lowestDelivery(cart: OracleCart, low: bigint, high: bigint): bigint {
  const { thresholds } = cart.delivery;
  const begins = [0n, ...thresholds.map(({ minimum }) => minimum)];
  const fees = begins.flatMap((begin) => {
    const first = greater(begin, low);
    const holding = thresholds.filter(({ minimum }) => minimum <= first);
    const top = holding.reduce<bigint>((most, { minimum }) => greater(most, minimum), -1n);
    const rate = holding.find(({ minimum }) => minimum === top) ?? cart.slot ?? cart.delivery;
    return first <= high ? [feeOf(rate, first)] : [];
  });
  return fees.reduce(lesser);
}

/** Totals of an adjusted and of the agreed order, with the parts that the rules name. */
export function oracleAdjusted(cart: OracleCart, handed: HandedOver[]) {
  const agreed = oraclePrice(cart);
  const priced = cart.lines.map((line, index) => {
    const { quantity, substitute } = handed[index] ?? { quantity: line.quantity, substitute: null };
    const unit = substitute ? lesser(unitOf(substitute), unitOf(line)) : unitOf(line);
    const markup = cart.pricesMarked ? markedUnitOf(line) - unitOf(line) : 0n;
    const marked = greater(unit + markup, 0n);
    const own = { ...line, quantity };
    const ofUnit = { taxClass: line.taxClass ?? 'general', store: unit * quantity, marked: marked * quantity };
    const parts = substitute ? [ofUnit] : partsOf(own, cart.pricesMarked);
    return { quantity, unit, marked, isMarkedDown: markup < 0n, parts: quantity === 0n ? [] : parts };
  });
  const S = sum(priced.map(({ unit, quantity }) => unit * quantity));
  const marked = sum(priced.map((line) => line.marked * line.quantity));
  const rule = cart.pickup ? cart.pickupService : cart.service;
  const least = rule ? greater(feeOf(rule, S), rule.min) : 0n;
  const service = rule ? (rule.max === null ? least : lesser(least, rule.max)) : 0n;
  const delivery = cart.pickup ? 0n : lowestDelivery(cart, S, agreed.subtotal);
  const small = agreed.subtotal < cart.small.minimum ? feeOf(cart.small, S) : 0n;
  const fees = ((cart.slot ?? cart.delivery).taxable ? delivery : 0n) + (rule?.taxable ? service : 0n);
  const parts = priced.flatMap((line) => line.parts);
  const added = feeOf(cart.added, S);
  const addedFees = cart.added.taxable ? added : 0n;
  const ofStore = oracleTaxes(cart, parts, ({ store }) => store, fees);
  const ofMarkup = oracleTaxes(cart, parts, (part) => part.marked - part.store, addedFees);
  const byTax = priced.some(({ isMarkedDown }) => isMarkedDown)
    ? oracleTaxes(cart, parts, (part) => part.marked, fees + addedFees)
    : ofStore.map((cents, at) => cents + (ofMarkup[at] ?? 0n));
  const taxes = sum(byTax);
  const total = marked + delivery + service + small + added + taxes + agreed.misc + agreed.tip;
  const isAsOrdered = cart.lines.every(
    ({ quantity }, index) => handed[index]?.quantity === quantity && handed[index].substitute === null,
  );
  const isNothing = priced.every(({ quantity }) => quantity === 0n);
  const atMost = isAsOrdered ? agreed.totalWithTip : lesser(total, agreed.totalWithTip);
  const feesOf = (one: { delivery: bigint; service: bigint }, addedFee: bigint) => [
    (cart.slot ?? cart.delivery).taxable ? one.delivery : 0n,
    rule?.taxable ? one.service : 0n,
    cart.added.taxable ? addedFee : 0n,
  ];
  const shares = isAsOrdered
    ? sharesByLine(
        cart,
        cart.lines.map((line) => partsOf(line, cart.pricesMarked)),
        agreed.taxes.map((cents, at) => cents + (agreed.addedTaxes[at] ?? 0n)),
        feesOf(agreed, agreed.addedFee),
      )
    : sharesByLine(
        cart,
        priced.map((line) => line.parts),
        byTax,
        feesOf({ delivery, service }, added),
      );
  return { agreed, S, delivery, service, small, taxes, shares, total: isNothing ? 0n : atMost };
}

/** What each line bears of the taxes: tax after tax, of each the parts of the line. */
function sharesByLine(
  cart: OracleCart,
  lines: readonly (readonly OraclePart[])[],
  byTax: readonly bigint[],
  fees: readonly bigint[],
): bigint[][] {
  const parts = lines.flat();
  const shares = taxedParts(cart, parts).map(({ isOn }, at) =>
    shareOut(byTax[at] ?? 0n, [...parts.map((part) => (isOn(part) ? part.marked : 0n)), ...fees]),
  );
  let from = 0;
  return lines.map((own) => {
    const start = from;
    from += own.length;
    return shares.flatMap((ofTax) => ofTax.slice(start, start + own.length));
  });
}
