import { shareOut } from './price-oracle.ts';

/** A receipt line: marked-up unit price, units, and its shares of the order's taxes. */
export type OracleRefundLine = { unit: bigint; quantity: bigint; taxes: readonly bigint[] };

/** One refund's share of a line. */
export type OracleRefundedUnits = { units: bigint; price: bigint; taxes: bigint[] };

/** What earlier refunds returned of a line. */
export type OracleGiven = { units: bigint; taxes: readonly bigint[] };

/**
 * One refund of units in fractions; undefined if too few are left. Of the shares together k of q units get k/q, half away
 * from zero, at most the balance, out of each in proportion to what is left of it; the last unit gets the rest.
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
    given = {
      units: given.units + units,
      taxes: refund.taxes.map((cents, at) => cents + (given.taxes[at] ?? 0n)),
    };
    return refund;
  });
}
