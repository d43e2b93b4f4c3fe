/** The price of an adjusted order, straight from the rules in rational arithmetic. Shares no code with the service. */
import {
  markedUnitOf,
  type OracleCart,
  type OracleFee,
  type OracleLine,
  oraclePrice,
  oracleTaxes,
  percentOfDecimal,
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
    return { quantity, unit, marked: greater(unit + markup, 0n), isMarkedDown: markup < 0n };
  });
  const S = sum(priced.map(({ unit, quantity }) => unit * quantity));
  const marked = sum(priced.map((line) => line.marked * line.quantity));
  const rule = cart.pickup ? cart.pickupService : cart.service;
  const least = rule ? greater(feeOf(rule, S), rule.min) : 0n;
  const service = rule ? (rule.max === null ? least : lesser(least, rule.max)) : 0n;
  const delivery = cart.pickup ? 0n : lowestDelivery(cart, S, agreed.subtotal);
  const small = agreed.subtotal < cart.small.minimum ? feeOf(cart.small, S) : 0n;
  const base = S + ((cart.slot ?? cart.delivery).taxable ? delivery : 0n) + (rule?.taxable ? service : 0n);
  const added = feeOf(cart.added, S);
  const addedBase = marked - S + (cart.added.taxable ? added : 0n);
  const taxes = priced.some(({ isMarkedDown }) => isMarkedDown)
    ? sum(oracleTaxes(cart, base + addedBase))
    : sum([...oracleTaxes(cart, base), ...oracleTaxes(cart, addedBase)]);
  const total = marked + delivery + service + small + added + taxes + agreed.misc + agreed.tip;
  const isAsOrdered = cart.lines.every(
    ({ quantity }, index) => handed[index]?.quantity === quantity && handed[index].substitute === null,
  );
  const isNothing = priced.every(({ quantity }) => quantity === 0n);
  const atMost = isAsOrdered ? agreed.totalWithTip : lesser(total, agreed.totalWithTip);
  return { agreed, S, delivery, service, small, taxes, total: isNothing ? 0n : atMost };
}
