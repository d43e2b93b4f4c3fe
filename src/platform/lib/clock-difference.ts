/** Maximum difference in seconds from the database's clock before operators are alerted. */
export const MAX_CLOCK_DIFFERENCE_S = 5;

/** How long timeouts that cancel or escalate wait after a step of the database's clock, in seconds. */
export const SETTLING_S = 600;

/** Says how a clock differs that is so many seconds ahead. */
export function clockDifference(aheadS: number): string {
  return `is ${Math.abs(aheadS).toFixed(1)} s ${aheadS < 0 ? 'behind' : 'ahead of'} the database's`;
}
