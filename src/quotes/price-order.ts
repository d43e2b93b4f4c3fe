import type { Fees } from '../stores/fees.ts';
import type { Mode } from '../stores/mode.ts';
import {
  deliveryFeeCents,
  flatAndPercent,
  percentWithinLimit,
  type SlotDeliveryFee,
  serviceFeeCents,
  smallOrderFeeCents,
} from './fee-amounts.ts';
import { withinOrderLimit } from './order-limit.ts';
import { type OrderLine, type PricedUnit, priceUnit } from './unit-price.ts';

export type MiscFee = { name: string; amountCents: number };

/** Fees and marked prices that the client adds on its customer's receipt. */
export type ReceiptTerms = {
  /** Whether marked prices replace prices; without it marks have no effect. */
  pricesMarked: boolean;
  addedFee: { flatCents: number; percent: number; taxable: boolean };
  miscFees: readonly MiscFee[];
};

/** An order as it is priced. `salesTaxPercent` is the store's own rate or that of its state or province. */
export type OrderToPrice = {
  lines: readonly OrderLine[];
  mode: Mode;
  fees: Omit<Fees, 'salesTaxPercent'>;
  salesTaxPercent: number;
  /** The fee of the chosen window where it has its own; null for the store's. */
  slotDeliveryFee: SlotDeliveryFee | null;
  tipCents: number;
  receipt: ReceiptTerms;
};

/** A line with its unit and its total; marked amounts equal the others unless the receipt shows marked prices. */
export type PricedLine = PricedUnit & { quantity: number; totalCents: number; markedTotalCents: number };

/**
 * Every amount of an order, in cents. A receipt of the lines' marked totals, the four fees and the tax, the added fee
 * and its tax, the misc fees and the tip adds up to `totalWithTipCents`, which is what the card is charged.
 */
export type OrderPrice = {
  lines: readonly PricedLine[];
  subtotalCents: number;
  deliveryFeeCents: number;
  serviceFeeCents: number;
  smallOrderFeeCents: number;
  /** Tax of the store's part alone; the added fee's and the mark-up's is `addedSalesTaxCents`. */
  salesTaxCents: number;
  totalWithoutTipsCents: number;
  markupCents: number;
  addedFeeCents: number;
  addedSalesTaxCents: number;
  miscFeesCents: number;
  tipCents: number;
  totalWithTipCents: number;
  profitCents: number;
};

/** A receipt without mark-up, added fee and misc fees. */
export const PLAIN_RECEIPT: ReceiptTerms = {
  pricesMarked: false,
  addedFee: { flatCents: 0, percent: 0, taxable: false },
  miscFees: [],
};

function sumWithinLimit(amounts: readonly number[]): number {
  return amounts.reduce((sum, cents) => withinOrderLimit(sum + cents), 0);
}

function priceLine(line: OrderLine, pricesMarked: boolean): PricedLine {
  const unit = priceUnit(line, pricesMarked);
  const { quantity } = line;
  return {
    ...unit,
    quantity,
    totalCents: withinOrderLimit(unit.unitCents * quantity),
    markedTotalCents: withinOrderLimit(unit.markedUnitCents * quantity),
  };
}

/** The terms of a store: they hold for every order there. */
export type StoreTerms = Pick<OrderToPrice, 'mode' | 'fees' | 'salesTaxPercent' | 'slotDeliveryFee'>;

/** The store's part of an order's price, in cents. */
export type StorePart = Pick<
  OrderPrice,
  | 'subtotalCents'
  | 'deliveryFeeCents'
  | 'serviceFeeCents'
  | 'smallOrderFeeCents'
  | 'salesTaxCents'
  | 'totalWithoutTipsCents'
>;

/** The store's part of the price, which the subtotal decides. Throws Refusal `invalid_request` over the order limit. */
export function priceStorePart(terms: StoreTerms, subtotalCents: number): StorePart {
  const { fees, slotDeliveryFee } = terms;
  const delivered = terms.mode === 'delivery';
  const serviceFee = delivered ? fees.serviceFee : fees.pickupServiceFee;
  const delivery = delivered ? deliveryFeeCents(fees.deliveryFee, slotDeliveryFee, subtotalCents) : 0;
  const service = serviceFee ? serviceFeeCents(serviceFee, subtotalCents) : 0;
  const small = smallOrderFeeCents(fees.smallOrderFee, subtotalCents);
  const taxedDelivery = (slotDeliveryFee ?? fees.deliveryFee).taxable ? delivery : 0;
  const taxedService = serviceFee?.taxable ? service : 0;
  const tax = percentWithinLimit(terms.salesTaxPercent, sumWithinLimit([subtotalCents, taxedDelivery, taxedService]));
  return {
    subtotalCents,
    deliveryFeeCents: delivery,
    serviceFeeCents: service,
    smallOrderFeeCents: small,
    salesTaxCents: tax,
    totalWithoutTipsCents: sumWithinLimit([subtotalCents, delivery, service, small, tax]),
  };
}

/**
 * The amounts of an order (docs/behaviour.md#money). Each percentage is exact and rounded once, half away from zero: a
 * fee is its flat cents plus its rounded percentage, a tax is one rounding over its whole base. Throws Refusal
 * `invalid_request` when an amount exceeds `MAX_ORDER_CENTS`.
 */
export function priceOrder(order: OrderToPrice): OrderPrice {
  const { receipt, salesTaxPercent } = order;
  const lines = order.lines.map((line) => priceLine(line, receipt.pricesMarked));
  const subtotalCents = sumWithinLimit(lines.map((line) => line.totalCents));
  const store = priceStorePart(order, subtotalCents);
  const markupCents = sumWithinLimit(lines.map((line) => line.markedTotalCents)) - subtotalCents;
  const addedFeeCents = flatAndPercent(receipt.addedFee, subtotalCents);
  const taxedAdditions = withinOrderLimit(markupCents + (receipt.addedFee.taxable ? addedFeeCents : 0));
  const addedSalesTaxCents = percentWithinLimit(salesTaxPercent, taxedAdditions);
  const miscFeesCents = sumWithinLimit(receipt.miscFees.map((fee) => fee.amountCents));
  const tipCents = order.mode === 'delivery' ? order.tipCents : 0;
  const additions = [tipCents, markupCents, addedFeeCents, addedSalesTaxCents, miscFeesCents];
  return {
    lines,
    ...store,
    markupCents,
    addedFeeCents,
    addedSalesTaxCents,
    miscFeesCents,
    tipCents,
    totalWithTipCents: sumWithinLimit([store.totalWithoutTipsCents, ...additions]),
    profitCents: withinOrderLimit(markupCents + addedFeeCents),
  };
}
