import type { OrderCharge } from './refund.ts';

/** How much of a refund each charge gives back: the first charge first, none above what is left of it. */
export function allocateRefund(
  charges: readonly OrderCharge[],
  cents: number,
): Pick<OrderCharge, 'chargeId' | 'cents'>[] {
  let rest = cents;
  const parts = charges.flatMap((charge) => {
    const part = Math.min(rest, charge.cents - charge.takenCents);
    rest -= Math.max(part, 0);
    return part > 0 ? [{ chargeId: charge.chargeId, cents: part }] : [];
  });
  if (rest > 0) throw new RangeError('A refund is above what its charges have left.');
  return parts;
}
