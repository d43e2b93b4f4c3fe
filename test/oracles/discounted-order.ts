import { shareOut } from './price-oracle.ts';

/*
 * What an order comes to with its frozen discounts, straight from the algebra of docs/promotions.md, in whole numbers.
 * Shares no code with the service.
 */

/** By payer: store, account, operator. */
export type ByPayer = readonly bigint[];

export type DiscountedLine = {
  quantity: bigint;
  list: bigint;
  /** At the price of the menu. */
  unit: bigint;
  marked: bigint;
  /** The rates on it, as decimals in millionths of a percent. */
  rates: readonly bigint[];
  menu: ByPayer;
  slots: ByPayer;
  /** What the menu's price has off that is taxed nevertheless. */
  menuTaxed: bigint;
  /** Of slots, what is off the taxed price. */
  slotsAfter: bigint;
};

export type DiscountedCart = {
  lines: readonly DiscountedLine[];
  /** From `from` on it is `low`. */
  delivery: { flat: bigint; from: bigint; low: bigint };
  onDelivery: ByPayer;
  /** Percent, not taxed. */
  service: bigint;
  tip: bigint;
};

export type DiscountedOrder = {
  sales: bigint;
  delivery: bigint;
  service: bigint;
  taxes: bigint;
  tip: bigint;
  /** Up to zero. */
  off: ByPayer;
  offDelivery: bigint;
  total: bigint;
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Half away from zero, of a positive denominator. */
export const half = (over: bigint, under: bigint): bigint =>
  over < 0n ? -((2n * -over + under) / (2n * under)) : (2n * over + under) / (2n * under);

/** What is left of a line's cents after `gone` of its units. */
export const keptOf = (cents: bigint, gone: bigint, quantity: bigint): bigint => cents - half(cents * gone, quantity);

/** The cents that leave by payer, in proportion to each payer's share. */
const gonePer = (all: ByPayer, gone: bigint, quantity: bigint) => shareOut(half(sum(all) * gone, quantity), all);

const TAX_SCALE = 100_000_000n;

/** The order with these units of each line; up to the agreed total. */
export function oracleDiscounted(
  cart: DiscountedCart,
  handed: readonly bigint[],
  agreed?: DiscountedOrder,
): DiscountedOrder {
  const none = { sales: 0n, delivery: 0n, service: 0n, taxes: 0n, tip: 0n, off: [0n, 0n, 0n], offDelivery: 0n };
  if (handed.every((units) => units === 0n)) return { ...none, total: 0n };
  const lines = cart.lines.map((line, at) => {
    const { quantity, menu, slots } = line;
    const k = handed[at] ?? 0n;
    const gone = quantity - k;
    const all = menu.map((cents, payer) => cents + (slots[payer] ?? 0n));
    const left = gonePer(all, gone, quantity);
    const base = line.unit * k + keptOf(line.menuTaxed, gone, quantity) - keptOf(line.slotsAfter, gone, quantity);
    return { line, k, off: all.map((cents, payer) => cents - (left[payer] ?? 0n)), base };
  });
  const S = sum(lines.map(({ line, k }) => line.unit * k));
  const feeAt = (subtotal: bigint) => (subtotal >= cart.delivery.from ? cart.delivery.low : cart.delivery.flat);
  const delivery = lesser(feeAt(S), agreed?.delivery ?? feeAt(S));
  const service = lesser(half(cart.service * S, 100n), agreed?.service ?? half(cart.service * S, 100n));
  const onDelivery = shareOut(lesser(sum(cart.onDelivery), delivery), cart.onDelivery);
  const rateCount = cart.lines[0]?.rates.length ?? 0;
  const taxes = Array.from({ length: rateCount }, (_, tax) => {
    const rated = (amountOf: (line: (typeof lines)[number]) => bigint) =>
      half(sum(lines.map((line) => amountOf(line) * (line.line.rates[tax] ?? 0n))), TAX_SCALE);
    return rated(({ base }) => base) + rated(({ line, k }) => (line.marked - line.unit) * k);
  });
  const marked = sum(lines.map(({ line, k }) => (line.marked + line.list - line.unit) * k));
  const off = [0, 1, 2].map((payer) => 0n - sum(lines.map((one) => one.off[payer] ?? 0n)) - (onDelivery[payer] ?? 0n));
  const total = marked + delivery + service + sum(taxes) + cart.tip + sum(off);
  return {
    sales: sum(lines.map(({ line, k }) => line.list * k)),
    delivery,
    service,
    taxes: sum(taxes),
    tip: cart.tip,
    off,
    offDelivery: 0n - (onDelivery[0] ?? 0n),
    total: agreed ? lesser(total, agreed.total) : total,
  };
}
