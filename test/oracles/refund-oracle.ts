import { percentOfDecimal } from './price-oracle.ts';

/** A receipt line: marked-up unit price, units, and each tax rate as a decimal. */
export type OracleRefundLine = { unit: bigint; quantity: bigint; taxPercents: readonly string[] };

/** One refund's share of a line. */
export type OracleRefundedUnits = { units: bigint; price: bigint; tax: bigint };

/** What earlier refunds returned of a line. */
export type OracleGiven = { units: bigint; tax: bigint };

/**
 * One refund of units in fractions; undefined if too few are left. Each tax is rounded once per line; k of q units get
 * k/q of it, half away from zero, at most the balance; the last unit gets the rest.
 */
export function oracleUnitRefund(
  line: OracleRefundLine,
  given: OracleGiven,
  units: bigint,
): OracleRefundedUnits | undefined {
  const unitsLeft = line.quantity - given.units;
  if (units > unitsLeft) return undefined;
  const lineTax = line.taxPercents.reduce(
    (sum, percent) => sum + percentOfDecimal(percent, line.unit * line.quantity),
    0n,
  );
  const taxLeft = lineTax > given.tax ? lineTax - given.tax : 0n;
  // Half away from zero of a positive fraction n/d is the floor of (2n + d) / 2d.
  const share = (2n * lineTax * units + line.quantity) / (2n * line.quantity);
  const least = share < taxLeft ? share : taxLeft;
  return { units, price: line.unit * units, tax: units === unitsLeft ? taxLeft : least };
}

/** Consecutive refunds of units of a line. */
export function oracleUnitRefunds(line: OracleRefundLine, refunds: readonly bigint[]): OracleRefundedUnits[] {
  let given: OracleGiven = { units: 0n, tax: 0n };
  return refunds.map((units) => {
    const refund = oracleUnitRefund(line, given, units);
    if (!refund) throw new RangeError('more units than are left');
    given = { units: given.units + units, tax: given.tax + refund.tax };
    return refund;
  });
}
