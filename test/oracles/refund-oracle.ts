import { feeParts, type OracleCart, oraclePrice, oracleShares, partsOf, pricesBy, shareOut } from './price-oracle.ts';

/** A receipt line: marked-up unit price, units, and its shares of the order's taxes. */
export type OracleRefundLine = { unit: bigint; quantity: bigint; taxes: readonly bigint[] };

/** One refund's share of a line. */
export type OracleRefundedUnits = { units: bigint; price: bigint; taxes: bigint[] };

/** What earlier refunds returned of a line. */
export type OracleGiven = { units: bigint; taxes: readonly bigint[] };

/**
 * One refund of units in fractions; undefined if too few are left. Of the shares together k of q units get k/q, half
 * away from zero, up to the balance, out of each in proportion to what is left of it; the last unit gets the rest.
 */
export function oracleUnitRefund(
  line: OracleRefundLine,
  given: OracleGiven,
  units: bigint,
): OracleRefundedUnits | undefined {
  const unitsLeft = line.quantity - given.units;
  if (units > unitsLeft) return undefined;
  const left = line.taxes.map((share, at) => {
    const rest = share - (given.taxes[at] ?? 0n);
    return rest > 0n ? rest : 0n;
  });
  if (units === unitsLeft) return { units, price: line.unit * units, taxes: left };
  // Half away from zero of a positive fraction n/d is the floor of (2n + d) / 2d.
  const part = (2n * sum(line.taxes) * units + line.quantity) / (2n * line.quantity);
  const tax = part < sum(left) ? part : sum(left);
  return { units, price: line.unit * units, taxes: shareOut(tax, left) };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

/** Consecutive refunds of units of a line. */
export function oracleUnitRefunds(line: OracleRefundLine, refunds: readonly bigint[]): OracleRefundedUnits[] {
  let given: OracleGiven = { units: 0n, taxes: [] };
  return refunds.map((units) => {
    const refund = oracleUnitRefund(line, given, units);
    if (!refund) throw new RangeError('more units than are left');
    given = { units: given.units + units, taxes: refund.taxes.map((cents, at) => cents + (given.taxes[at] ?? 0n)) };
    return refund;
  });
}

/** What a refund, or all of an order, has of a store's part; taxes by the place of the tax and the class, or `fee`. */
export type OracleStorePart = { sales: bigint; delivery: bigint; taxes: ReadonlyMap<string, bigint> };

/** The store's own part of an order as it was placed, and the whole of the taxes, of which it has some. */
export function oracleStorePart(cart: OracleCart, hasDelivery: boolean) {
  const price = oraclePrice(cart);
  const parts = cart.lines.flatMap((line) => partsOf(line, cart.pricesMarked));
  const rule = cart.pickup ? cart.pickupService : cart.service;
  const feesOf = (addedFee: bigint) => [
    feeParts((cart.slot ?? cart.delivery).taxable ? price.delivery : 0n, parts),
    feeParts(rule?.taxable ? price.service : 0n, parts),
    feeParts(cart.added.taxable ? addedFee : 0n, parts),
  ];
  const bearersOf = (of: 'store' | 'marked') => pricesBy(parts, (part) => part[of]).map((part) => [part]);
  const ofStore = oracleShares(cart, price.taxes, [...bearersOf('store'), ...feesOf(0n)]);
  const both = price.taxes.map((cents, at) => cents + (price.addedTaxes[at] ?? 0n));
  const whole = oracleShares(cart, both, [...bearersOf('marked'), ...feesOf(price.addedFee)]);
  const byClass = (shares: bigint[][], hasAllFees: boolean) => {
    const sums = new Map<string, bigint>();
    const add = (key: string, cents: bigint) => sums.set(key, (sums.get(key) ?? 0n) + cents);
    for (const [tax, ofTax] of shares.entries()) {
      for (const [at, cents] of ofTax.entries()) {
        const part = parts[at];
        if (part) add(`${tax} ${part.taxClass}`, cents);
        else if (hasAllFees || (hasDelivery && at === parts.length)) add(`${tax} fee`, cents);
      }
    }
    return sums;
  };
  const wholeTaxes = byClass(whole, true);
  const taxes = new Map(
    [...byClass(ofStore, false)].map(([key, cents]) => {
      const all = wholeTaxes.get(key) ?? 0n;
      return [key, cents < all ? cents : all];
    }),
  );
  const own: OracleStorePart = { sales: price.subtotal, delivery: hasDelivery ? price.delivery : 0n, taxes };
  return { own, wholeTaxes };
}

/**
 * What is left of the store's part after refunds. A store's refund takes its own taxes; of any other's taxes it is what
 * the store has of the order's, each tax and class rounded half away from zero.
 */
export function oracleStoreLeft(
  { own, wholeTaxes }: ReturnType<typeof oracleStorePart>,
  refunds: readonly (OracleStorePart & { byStore: boolean })[],
): bigint {
  const half = (over: bigint, under: bigint) => {
    const twice = over < 0n ? 2n * over - under : 2n * over + under;
    return twice / (2n * under);
  };
  const partOf = ({ sales, delivery, taxes, byStore }: (typeof refunds)[number]) => {
    const ofStore = [...taxes].map(([key, cents]) => {
      const all = wholeTaxes.get(key) ?? 0n;
      return byStore ? cents : all > 0n ? half((own.taxes.get(key) ?? 0n) * cents, all) : 0n;
    });
    return sales + delivery + sum(ofStore);
  };
  return refunds.reduce((left, one) => left - partOf(one), partOf({ ...own, byStore: true }));
}
