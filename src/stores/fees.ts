/** A fee of a flat part in cents and a percentage (8.875 is 8.875 %) of the subtotal. */
export type DeliveryFee = {
  flatCents: number;
  percent: number;
  taxable: boolean;
  /** The entry with the largest minimum at or below the subtotal replaces flat and percent. */
  thresholds: readonly { minimumSubtotalCents: number; flatCents: number; percent: number }[];
};

export type ServiceFee = {
  flatCents: number;
  percent: number;
  minCents: number;
  maxCents: number | null;
  taxable: boolean;
};

/** Due when the subtotal is under the minimum. */
export type SmallOrderFee = { minimumOrderCents: number; flatCents: number; percent: number };

/** What a store charges; `salesTaxPercent` null means the built-in table of its state or province. */
export type Fees = {
  deliveryFee: DeliveryFee;
  serviceFee: ServiceFee;
  pickupServiceFee: ServiceFee | null;
  smallOrderFee: SmallOrderFee;
  orderMinimumCents: number;
  salesTaxPercent: number | null;
};

/** The fees that a party asks instead of the store's; null: the store's. */
export type PartyFees = {
  deliveryFee: DeliveryFee | null;
  serviceFee: ServiceFee | null;
  smallOrderFee: SmallOrderFee | null;
  orderMinimumCents: number | null;
};
