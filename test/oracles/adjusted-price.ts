/** The price of an adjusted order, straight from the rules in rational arithmetic. Shares no code with the service. */
import {
  feeParts,
  markedUnitOf,
  type OracleCart,
  type OracleFee,
  type OracleLine,
  type OraclePart,
  oraclePrice,
  oracleShares,
  oracleTaxes,
  partsOf,
  percentOfDecimal,
  pricesBy,
  unitOf,
} from './price-oracle.ts';

/** What is handed off of a line: its units, or another product as a substitute. */
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
    return { quantity, unit, marked, parts: quantity === 0n ? [] : parts };
  });
  const S = sum(priced.map(({ unit, quantity }) => unit * quantity));
  const marked = sum(priced.map((line) => line.marked * line.quantity));
  const rule = cart.pickup ? cart.pickupService : cart.service;
  const least = rule ? greater(feeOf(rule, S), rule.min) : 0n;
  const service = rule ? (rule.max === null ? least : lesser(least, rule.max)) : 0n;
  const delivery = cart.pickup ? 0n : lowestDelivery(cart, S, agreed.subtotal);
  const small = agreed.subtotal < cart.small.minimum ? feeOf(cart.small, S) : 0n;
  const ordered = cart.lines.flatMap((line) => partsOf(line, cart.pricesMarked));
  const partsOfFee = (fee: bigint, isTaxable = false) => feeParts(isTaxable ? fee : 0n, ordered);
  const feesOf = (one: { delivery: bigint; service: bigint }, addedFee: bigint) => [
    partsOfFee(one.delivery, (cart.slot ?? cart.delivery).taxable),
    partsOfFee(one.service, rule?.taxable),
    partsOfFee(addedFee, cart.added.taxable),
  ];
  const parts = priced.flatMap((line) => line.parts);
  const added = feeOf(cart.added, S);
  const fees = feesOf({ delivery, service }, added);
  const ofStore = oracleTaxes(cart, [...pricesBy(parts, ({ store }) => store), ...fees.slice(0, 2).flat()]);
  const ofMarkup = oracleTaxes(cart, [
    ...pricesBy(parts, ({ store, marked: own }) => own - store),
    ...fees.slice(2).flat(),
  ]);
  const byTax = ofStore.map((cents, at) => cents + (ofMarkup[at] ?? 0n));
  const taxes = sum(byTax);
  const total = marked + delivery + service + small + added + taxes + agreed.misc + agreed.tip;
  const isAsOrdered = cart.lines.every(
    ({ quantity }, index) => handed[index]?.quantity === quantity && handed[index].substitute === null,
  );
  const isNothing = priced.every(({ quantity }) => quantity === 0n);
  const atMost = isAsOrdered ? agreed.totalWithTip : lesser(total, agreed.totalWithTip);
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
        fees,
      );
  return { agreed, S, delivery, service, small, taxes, shares, total: isNothing ? 0n : atMost };
}

/** What each line bears of the taxes: tax after tax, of each the parts of the line. */
function sharesByLine(
  cart: OracleCart,
  lines: readonly (readonly OraclePart[])[],
  byTax: readonly bigint[],
  fees: readonly ReturnType<typeof feeParts>[],
): bigint[][] {
  const ofLines = pricesBy(lines.flat(), ({ marked }) => marked).map((part) => [part]);
  const shares = oracleShares(cart, byTax, [...ofLines, ...fees]);
  let from = 0;
  return lines.map((own) => {
    const start = from;
    from += own.length;
    return shares.flatMap((ofTax) => ofTax.slice(start, start + own.length));
  });
}
