import type { Caller, KeyMode } from '../../access/accounts/account.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { Food } from '../../supply/catalog/food.ts';
import type { MiscFee, OrderPrice, PricedCustomization, StoreTerms } from '../../supply/pricing/price-order.ts';
import type { QuotePreference } from '../../supply/pricing/quote.ts';
import type { OfferTimes } from '../../supply/pricing/slots.ts';
import type { Country, Mode, PartyKind } from '../../supply/stores/store.ts';

export const ORDER_STATUSES = ['unplaced', 'awaiting_confirmation', 'in_progress', 'completed', 'canceled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The stage of a delivery's driver; `none` before a driver is assigned, and always for pickup. */
export type DriverStage = 'none' | 'assigned' | 'picked_up' | 'nearby';

/**
 * The state of the charge: `pending` during the call of the gateway, `waiting` until the customer has approved the charge
 * and the order is finalized again, `refund_pending` until the gateway has refunded.
 */
export type ChargeState = 'none' | 'pending' | 'waiting' | 'charged' | 'declined' | 'refund_pending' | 'refunded';

export type RequestedOption = { optionId: string; quantity: number | null; markedPriceCents: number | null };

/**
 * What a customer wants in place of a product that the store lacks: a product of the store's choice, one of the named
 * products, or the money back.
 */
export type Substitution =
  | { preference: 'store_choice' | 'refund' }
  | { preference: 'specific'; productIds: readonly string[] };

export type RequestedItem = {
  productId: string;
  quantity: number;
  selectedOptions: readonly RequestedOption[];
  notes: string;
  markedPriceCents: number | null;
  /** Absent: the money back. */
  substitution?: Substitution;
};

/** The customer and the address; empty text and null for members that the client has not sent yet. */
export type Customer = {
  userId: string;
  name: string;
  email: string;
  phone: number | null;
  latitude: number | null;
  longitude: number | null;
  streetNum: string;
  streetName: string;
  aptNum: string;
  city: string;
  state: string;
  zipcode: string;
  country: string;
  timeZone: string;
  dropoffNotes: string;
  pickupNotes: string;
  /** Absent: the account's. */
  language?: Language;
};

export type ReceiptSpecifications = {
  pricesMarked: boolean;
  addedFee: { flatCents: number; percent: number; taxable: boolean };
  unifyServiceFee: boolean;
  disableEmail: boolean;
  miscFees: readonly MiscFee[];
};

/** The order as requested, with every default filled in. */
export type OrderRequest = {
  items: readonly RequestedItem[];
  mode: Mode;
  tipCents: number;
  customer: Customer;
  chargeUser: boolean;
  paymentMethodId: string | null;
  scheduledId: string | null;
  quotePreference: QuotePreference;
  includeFinalQuote: boolean;
  disableSms: boolean;
  receipt: ReceiptSpecifications;
  favorited: boolean;
  enableSubstitution: boolean;
  autofillSelectedOptions: boolean;
  customerOrderId: string;
  metadata: Readonly<Record<string, unknown>>;
  /** Where the hosted checkout sends the customer afterwards; absent: to the tracking page. */
  checkoutReturnUrl?: string;
  /** The fields that the customer entered on the checkout, and may correct there. */
  enteredOnCheckout?: readonly EnteredField[];
};

/** What the checkout asks a customer for, where the client has not sent it. */
export const ENTERED_FIELDS = ['name', 'email', 'phone'] as const;
export type EnteredField = (typeof ENTERED_FIELDS)[number];

export type QuotedItem = {
  productId: string;
  name: string;
  basePriceCents: number;
  markedBasePriceCents: number;
  quantity: number;
  image: string | null;
  notes: string;
  unitCents: number;
  markedUnitCents: number;
  totalCents: number;
  markedTotalCents: number;
  customizations: readonly PricedCustomization[];
  isAlcoholic: boolean;
  /** Absent where nothing was known. */
  food?: QuotedFood;
  /** The products that the customer named in its place. */
  namedSubstitutes?: readonly NamedProduct[];
};

export type NamedProduct = { productNo: number; productId: string; name: string };

/** A slot the order is for; epoch seconds. */
export type QuotedSlot = { id: string; startEpochS: number; endEpochS: number };

/** The amounts of an order but those that `addedFee` and `miscFees` say. */
type FrozenPrice = Omit<OrderPrice, 'lines' | 'addedFeeCents' | 'addedSalesTaxCents' | 'miscFeesCents'>;

/** Everything an order was promised, frozen when it was quoted: later changes of the store do not reach it. */
export type FrozenQuote = FrozenPrice & {
  quoteId: string;
  store: {
    storeId: string;
    name: string;
    address: string;
    country: Country;
    timeZone: string;
    phoneNumber: number | null;
    latitude: number;
    longitude: number;
  };
  items: readonly QuotedItem[];
  addedFee: { flatCents: number; percent: number; taxable: boolean; totalCents: number; salesTaxCents: number };
  miscFees: readonly MiscFee[];
  minutes: { minimum: number; maximum: number };
  etaEpochS: number;
  expectedTimeOfArrival: string;
  scheduled: QuotedSlot | null;
  /** When a scheduled order may be offered to its store; absent for ASAP orders. */
  offer?: OfferTimes;
  /** The minutes that a scheduled order would take as soon as possible; absent as `offer` is. */
  asapMinutes?: number;
  /** The party that delivers; absent for pickups. */
  party?: PartyKind;
  /** What the store's fees and tax were computed by. */
  terms: StoreTerms;
  /** Another of several parties delivers, so that no courier is asked for. */
  withoutCourier?: true;
};

export type HeldStock = { productNo: number; quantity: number };

/** Details of the driver as they become known; positions in degrees, course in degrees from north. */
export type Driver = {
  name?: string;
  phone?: number;
  photoUrl?: string;
  rating?: number;
  vehicleType?: string;
  latitude?: number;
  longitude?: number;
  course?: number;
  updatedEpochS?: number;
  /** Straight-line meters a second of the last minutes on the way to the door. */
  recentSpeed?: number;
  /** When the driver accepted the delivery on the driver's page. */
  acceptedEpochS?: number;
};

export type Order = {
  orderId: string;
  accountId: string;
  mode: KeyMode;
  storeId: string;
  status: OrderStatus;
  request: OrderRequest;
  quote: FrozenQuote;
  idempotencyKey: string | null;
  /** The random part of the checkout's link, and until when the link works; null for an order that was placed at once. */
  checkoutKey: string | null;
  checkoutUntil: Temporal.Instant | null;
  chargeState: ChargeState;
  chargeAttempt: number;
  chargeStartedAt: Temporal.Instant | null;
  /** The gateway's charge that the customer must approve, of the present attempt. */
  waitingChargeId: string | null;
  chargeId: string | null;
  /** All that was charged: the total of the quote, and what was added to the tip later. */
  chargedCents: number;
  refundedCents: number;
  /** Booked refunds that the gateway has not made yet. */
  refundingCents: number;
  /** What was added to the tip after placing. */
  addedTipCents: number;
  /** What the order holds of its store, in the count of its sandbox or in the live one. */
  stockHeld: readonly HeldStock[];
  slotHeld: boolean;
  /** What the store hands over of the items where it differs from what was ordered. */
  adjustments: readonly ItemAdjustment[];
  isReady: boolean;
  driver: Driver;
  driverStage: DriverStage;
  /** The number of the driver's link that works: each assignment has the next number; 0 before the first assignment. */
  driverLink: number;
  cancelReason: string | null;
  /** When a first channel of the store had the order; null for a sandbox order, which no channel gets. */
  receivedAt: Temporal.Instant | null;
  /** When the food will be ready, as the store said when it confirmed. */
  readyBy: Temporal.Instant | null;
  eta: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  placedAt: Temporal.Instant | null;
  /** The short number that store and customer call the order by, such as `A17`; null while unplaced. */
  orderNumber: string | null;
  /** When the order is offered to its store, which may be later than its placing; null while unplaced. */
  offerAt: Temporal.Instant | null;
  /** The time-out of the confirmation, counted from `offerAt`. */
  confirmBy: Temporal.Instant | null;
  completedAt: Temporal.Instant | null;
  canceledAt: Temporal.Instant | null;
  lastSequence: number;
};

/** The gateway's key of one attempt to charge an order; a repeated call with the key never charges twice. */
export function chargeKeyOf(order: Pick<Order, 'orderId' | 'chargeAttempt'>): string {
  return `${order.orderId}:${order.chargeAttempt}`;
}

/** The key under which the gateway knows the refund of an order. */
export function refundKeyOf(order: Pick<Order, 'orderId' | 'chargeAttempt'>): string {
  return `${chargeKeyOf(order)}:refund`;
}

/** What people call an order at the counter; the end of the id while it has no number. */
export function shownOrderNumber({ orderId, orderNumber }: Pick<Order, 'orderId' | 'orderNumber'>): string {
  return orderNumber ?? orderId.slice(-4);
}

/** Whether a driver has the order: nobody at the store gives its items back. */
export function hasLeftTheStore({ driverStage }: Pick<Order, 'driverStage'>): boolean {
  return driverStage === 'picked_up' || driverStage === 'nearby';
}

/** Whether the order has taken its last step; money may still move. */
export function hasEnded({ status }: Pick<Order, 'status'>): boolean {
  return status === 'completed' || status === 'canceled';
}

/** Whether an order belongs to the caller: an order of another account, or of the other key mode, is unknown to it. */
export function isOrderOf({ accountId, mode }: Pick<Order, 'accountId' | 'mode'>, caller: Caller): boolean {
  return accountId === caller.accountId && mode === caller.mode;
}

/** The product that a store hands over in place of an ordered product, with the price of its unit in this order. */
export type Substitute = Pick<
  QuotedItem,
  'productId' | 'name' | 'image' | 'unitCents' | 'markedUnitCents' | 'customizations' | 'food'
> & { productNo: number; isAlcoholic: boolean };

/** What the store hands over of one item, where that is not what was ordered; an order has at most one entry an item. */
export type ItemAdjustment = { index: number; quantity: number; substitute: Substitute | null };

/** The products that a customer names in place of an item. */
export function namedIn(substitution: Substitution | undefined): readonly string[] {
  return substitution?.preference === 'specific' ? substitution.productIds : [];
}

/** What was known of the food of an ordered item: of the product, and of each chosen option with facts of its own. */
export type QuotedFood = { product: Food | null; options: readonly { optionId: string; food: Food }[] };

/** Steps that a store, a courier or the sandbox may take; each of them may take the last step. */
export const ADVANCE_EVENTS = [
  'confirm',
  'ready',
  'assign_driver',
  'pick_up',
  'approach',
  'complete',
  'cancel',
] as const;
export type AdvanceEvent = (typeof ADVANCE_EVENTS)[number];

/** Steps that a courier alone takes, real or simulated: no store, customer or client of the API asks for them. */
export const COURIER_EVENTS = ['courier_lost'] as const;
export type CourierEvent = (typeof COURIER_EVENTS)[number];

export type StepName = AdvanceEvent | CourierEvent;
