import { deliveryRateAt } from '../quotes/price-order.ts';
import type { ServiceFee } from '../stores/store.ts';
import type { CartTerms } from './price-cart.ts';

/**
 * Units of a floor: ten-thousandths of a cent, so that a tax of 8.87 % of a cent is a whole number of units. The largest
 * order has a ninth of the units that a number holds exactly.
 */
export const UNITS_PER_CENT = 10_000;

/** An exact percentage is rounded once: down by no more than half a cent. */
const ROUNDING_UNITS = UNITS_PER_CENT / 2;

/** The lower bound of a cart's price at one store, cheap to compute for many subtotals. */
export type CartFloor = {
  orderMinimumCents: number;
  /** Units that every cent of the subtotal adds: itself and its tax. */
  unitsPerCent: number;
  /** Subtotals at which a fee may fall, ascending; between two of them no fee falls. */
  dropsAt: readonly number[];
  /** Units that fees and their taxes add at least to a cart of exactly this subtotal in cents. */
  feeUnitsAt(subtotalCents: number): number;
};

/** Whole units that a cent adds at this percentage (8.875 is 8.875 %), rounded down. */
function unitsOf(percent: number): number {
  const nearest = Math.round(percent * 100);
  return nearest / 100 > percent ? nearest - 1 : nearest;
}

type Rate = { flatCents: number; percent: number };

function rateUnits({ flatCents, percent }: Rate, cents: number): number {
  const flat = flatCents * UNITS_PER_CENT;
  return percent === 0 ? flat : flat + unitsOf(percent) * cents - ROUNDING_UNITS;
}

function serviceUnits(fee: ServiceFee, cents: number): number {
  const units = Math.max(rateUnits(fee, cents), fee.minCents * UNITS_PER_CENT);
  return fee.maxCents === null ? units : Math.min(units, fee.maxCents * UNITS_PER_CENT);
}

/**
 * The lower bound of `priceCart`. A fee falls with a growing subtotal only at a delivery threshold and at the small-order
 * minimum.
 */
export function floorOf(terms: CartTerms): CartFloor {
  const { mode, fees, salesTaxPercent, slotDeliveryFee, orderMinimumCents } = terms;
  const { deliveryFee, smallOrderFee } = fees;
  const isDelivered = mode === 'delivery';
  const service = isDelivered ? fees.serviceFee : fees.pickupServiceFee;
  const taxUnits = unitsOf(salesTaxPercent);
  const deliveryTaxable = (slotDeliveryFee ?? deliveryFee).taxable;
  const thresholds = isDelivered ? deliveryFee.thresholds.map(({ minimumSubtotalCents }) => minimumSubtotalCents) : [];
  const dropsAt = [...new Set([...thresholds, smallOrderFee.minimumOrderCents])].sort((a, b) => a - b);

  return {
    orderMinimumCents,
    unitsPerCent: UNITS_PER_CENT + taxUnits,
    dropsAt,
    feeUnitsAt(cents) {
      const delivery = isDelivered ? rateUnits(deliveryRateAt(deliveryFee, slotDeliveryFee, cents), cents) : 0;
      const serviced = service ? serviceUnits(service, cents) : 0;
      const small = cents < smallOrderFee.minimumOrderCents ? rateUnits(smallOrderFee, cents) : 0;
      const taxed = (deliveryTaxable ? delivery : 0) + (service?.taxable ? serviced : 0);
      const tax = Math.floor(taxed / UNITS_PER_CENT) * taxUnits - ROUNDING_UNITS;
      return delivery + serviced + small + tax;
    },
  };
}

/**
 * Units that fees and their taxes add at least to a cart whose subtotal lies between two bounds, both included, and meets
 * the order minimum. Infinity where no subtotal does both.
 */
export function minFeeUnits(floor: CartFloor, lowestCents: number, highestCents: number): number {
  const lowest = Math.max(lowestCents, floor.orderMinimumCents);
  if (lowest > highestCents) return Number.POSITIVE_INFINITY;
  let units = floor.feeUnitsAt(lowest);
  for (const at of floor.dropsAt) {
    if (at > highestCents) break;
    if (at > lowest) units = Math.min(units, floor.feeUnitsAt(at));
  }
  return units;
}
