import { percentOfDecimal } from './price-oracle.ts';

/** A line of a receipt: marked price of one unit, units, and the rate of the sales tax as a decimal. */
export type OracleRefundLine = { unit: bigint; quantity: bigint; taxPercent: string };

/** What one refund gives back of a line. */
export type OracleRefundedUnits = { units: bigint; price: bigint; tax: bigint };

/**
 * Refunds of units of a line, one after the other, straight from the rule and in fractions: the line's tax is rounded
 * once; k of q units have k/q of it, rounded half away from zero, as far as it is left; the last unit takes the rest.
 */
export function oracleUnitRefunds(line: OracleRefundLine, refunds: readonly bigint[]): OracleRefundedUnits[] {
  const lineTax = percentOfDecimal(line.taxPercent, line.unit * line.quantity);
  let [unitsLeft, taxLeft] = [line.quantity, lineTax];
  return refunds.map((units) => {
    if (units > unitsLeft) throw new RangeError('more units than are left');
    unitsLeft -= units;
    // Half away from zero of a positive fraction n/d is the floor of (2n + d) / 2d.
    const share = (2n * lineTax * units + line.quantity) / (2n * line.quantity);
    const least = share < taxLeft ? share : taxLeft;
    const tax = unitsLeft === 0n ? taxLeft : least;
    taxLeft -= tax;
    return { units, price: line.unit * units, tax };
  });
}
