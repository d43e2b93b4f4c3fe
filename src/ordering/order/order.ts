import type { Caller, KeyMode } from '../../access/accounts/account.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { Food } from '../../supply/catalog/food.ts';
import type {
  ChargedTax,
  MiscFee,
  OrderPrice,
  PricedCustomization,
  StoreTerms,
  TaxPart,
} from '../../supply/pricing/price-order.ts';
import type { QuotePreference } from '../../supply/pricing/quote.ts';
import type { OfferTimes } from '../../supply/pricing/slots.ts';
import type { TaxCalculation } from '../../supply/pricing/tax-calculator.ts';
import type { Milli, WeightUnit } from '../../supply/pricing/weight.ts';
import type { CookedPart } from '../../supply/stores/kitchen.ts';
import type { Country, Mode, PartyKind } from '../../supply/stores/store.ts';
import type { StreetAddress } from '../../supply/stores/street-address.ts';
import type { TaxClass } from '../../supply/stores/tax-class.ts';

/* An order: its request, the frozen quote, its progress, charge and courier, with the statuses of each. */

export const ORDER_STATUSES = ['unplaced', 'awaiting_confirmation', 'in_progress', 'completed', 'canceled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The stage of a delivery's driver; `none` before one is assigned, and always for pickup. */
export type DriverStage = 'none' | 'assigned' | 'picked_up' | 'nearby';

/**
 * The charge's state. `pending`: the gateway is being called. `waiting`: until the customer approves the charge and the
 * order is finalized again. `to_collect`: nothing is charged until driver or store has collected the money at the
 * handoff. `authorized`: nothing is charged until the order leaves its store; its card holds the maximum total, or will
 * before the slot. `capturing`: the gateway is capturing or voiding the hold. `refund_pending`: until the gateway has
 * refunded.
 */
export const CHARGE_STATES = [
  'none',
  'pending',
  'waiting',
  'to_collect',
  'authorized',
  'capturing',
  'charged',
  'declined',
  'refund_pending',
  'refunded',
] as const;
export type ChargeState = (typeof CHARGE_STATES)[number];

/** How an order is paid, decided once when it is placed (money-plan.ts). */
export const MONEY_PLANS = {
  charged: 'A card pays the total when the order is placed',
  held: 'Items sold by weight: a card is authorized for the maximum',
  maximum_charged: "Items sold by weight, through a gateway that can't authorize: a card pays the maximum",
  collected: 'Cash, collected at handoff and counted as charged',
  paid_to_store: "An order taken by the store, such as by phone, that it's paid for itself at handoff",
  external: '`charge_user: false`: your app is paid',
  free: 'The total is $0.00, or below the minimum of the gateway',
} as const;
export type MoneyPlan = keyof typeof MONEY_PLANS;

/** Who collects the money of an order when it is handed off. */
export const COLLECTORS = ['driver', 'store'] as const;
export type Collector = (typeof COLLECTORS)[number];

export type RequestedOption = { optionId: string; quantity: number | null; markedPriceCents: number | null };

/**
 * The customer's preference for an unavailable product: a substitute of the store's choice, one of the named products,
 * or a refund.
 */
export type Substitution =
  | { preference: 'store_choice' | 'refund' }
  | { preference: 'specific'; productIds: readonly string[] };

/**
 * A weight or pieces of goods by weight, in the unit that the product had. Empty for a request without either, until
 * its product is known; until then `isCount` means that `quantity` is pieces where these have a weight.
 */
export type RequestedAmount = { milli?: Milli; pieces?: number; unit?: WeightUnit; isCount?: true };

export type RequestedItem = {
  productId: string;
  /** 1 of goods by weight; until the product is known, a whole number may be a weight. */
  quantity: number;
  /** Absent of goods by the piece. */
  amount?: RequestedAmount;
  selectedOptions: readonly RequestedOption[];
  notes: string;
  markedPriceCents: number | null;
  /** Absent for a refund. */
  substitution?: Substitution;
};

/** How an order is handed off. `code`: for the digits of the customer's page. */
export const DROP_OFF_PLACES = ['hand_to_me', 'leave_at_door', 'meet_outside'] as const;
export type DropOff = { where: (typeof DROP_OFF_PLACES)[number]; utensils: boolean; code: boolean };

/** The customer and the address; '' and null for members that were not sent yet. */
export type Customer = StreetAddress & {
  userId: string;
  name: string;
  email: string;
  phone: number | null;
  phoneExtension: string;
  latitude: number | null;
  longitude: number | null;
  country: string;
  timeZone: string;
  dropoffNotes: string;
  pickupNotes: string;
  /** Absent for the account's language. */
  language?: Language;
  /** Absent if the customer chose nothing. */
  dropOff?: DropOff;
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
  /** The card that holds the money, as long as the newer one of `paymentMethodId` does not. */
  heldPaymentMethodId?: string | null;
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
  /** Upper-cased, in the order of the request; absent without any. */
  promotionCodes?: readonly string[];
  /** Return URL of the hosted checkout; absent for the tracking page. */
  checkoutReturnUrl?: string;
  /**
   * The ended order that this one repeats, opened by its tracking link. The checkout shows no more of the customer than
   * the tracking page does.
   */
  repeats?: string;
  /** Names of items of the repeated order that are no longer sold. */
  leftOut?: readonly string[];
  /** Who placed it for the customer, such as by phone; such an order needs no email. Absent: the account's client. */
  placedBy?: 'store';
  /** The program that prepared it with a customer's token; its host is '' for one on the customer's device. */
  agent?: { name: string; host: string };
  /**
   * Whose saved cards pay on the checkout of a customer who can sign in: this customer in a session, otherwise the
   * order itself, whose card is for this once. Absent: the user's.
   */
  payerId?: string;
  /** Fields that the customer entered on the checkout, and may correct there. */
  enteredOnCheckout?: readonly EnteredField[];
};

/** Fields that the checkout asks for if the client did not send them. */
export const ENTERED_FIELDS = ['name', 'email', 'phone'] as const;
export type EnteredField = (typeof ENTERED_FIELDS)[number];

export type QuotedItem = {
  productId: string;
  externalId: string;
  name: string;
  basePriceCents: number;
  /** For items sold by weight, the base price without its menu price; absent where none lowers it. */
  listPriceCents?: number;
  markedBasePriceCents: number;
  quantity: number;
  image: string | null;
  notes: string;
  unitCents: number;
  /** The price of a unit without its menu price; absent where none lowers it. */
  listUnitCents?: number;
  markedUnitCents: number;
  totalCents: number;
  markedTotalCents: number;
  customizations: readonly PricedCustomization[];
  /** By `isAlcohol`, with the chosen options. */
  isAlcoholic: boolean;
  taxClass: TaxClass;
  /** Price of a unit by tax class, if options have other classes than the product. */
  taxParts?: readonly TaxPart[];
  /** Absent if nothing is known. */
  food?: QuotedFood;
  /** Products that the customer named as substitutes. */
  namedSubstitutes?: readonly NamedProduct[];
  /** Goods by weight, as ordered: base prices are for `per`, and `quantity` is 1. */
  weight?: OrderedWeight;
};

/** Whether an order includes goods by weight, so that its total is an estimate until its store has weighed them. */
export const isWeighedOrder = ({ items }: { items: readonly Pick<QuotedItem, 'weight'>[] }): boolean =>
  items.some(({ weight }) => weight !== undefined);

export type OrderedWeight = {
  unit: WeightUnit;
  per: Milli;
  ordered: Milli;
  /** The most that may be charged. */
  max: Milli;
  /** Ordered pieces; absent for an ordered weight. */
  pieces?: number;
  scaleCode?: string;
};

export const WEIGHT_SOURCES = ['scale', 'label', 'label_price', 'limit'] as const;

/** A scale's reading. */
export type ScaledWeight = {
  milli: Milli;
  /** A price label's price of the goods; absent for the price of the weight. */
  labelCents?: number;
  from: (typeof WEIGHT_SOURCES)[number];
  pieces?: number;
};

export type NamedProduct = { productNo: number; productId: string; name: string };

/** An order's taxes by name, including those on added fees. */
export function namedTaxes({ taxes, addedFee }: Pick<FrozenQuote, 'taxes' | 'addedFee'>): ChargedTax[] {
  return taxes.map((tax, index) => ({ ...tax, cents: tax.cents + (addedFee.taxes[index]?.cents ?? 0) }));
}

/** The slot of a scheduled order, in epoch seconds. */
export type QuotedSlot = { id: string; startEpochS: number; endEpochS: number };

/** The amounts of an order except those in `addedFee` and `miscFees`. */
type FrozenPrice = Omit<OrderPrice, 'lines' | 'addedFeeCents' | 'addedSalesTaxCents' | 'addedTaxes' | 'miscFeesCents'>;

/** A calculation with a digest of its taxed amounts, and its time. */
export type FrozenCalculation = TaxCalculation & { question: string; epochS: number };

/** The frozen quote. Later changes of the store do not affect the order. */
export type FrozenQuote = FrozenPrice & {
  quoteId: string;
  store: {
    storeId: string;
    name: string;
    address: string;
    state: string;
    country: Country;
    timeZone: string;
    phoneNumber: number | null;
    phoneExtension?: string | undefined;
    latitude: number;
    longitude: number;
  };
  items: readonly QuotedItem[];
  addedFee: {
    flatCents: number;
    percent: number;
    taxable: boolean;
    totalCents: number;
    salesTaxCents: number;
    /** The parts of `salesTaxCents` by name. */
    taxes: readonly ChargedTax[];
  };
  miscFees: readonly MiscFee[];
  minutes: { minimum: number; maximum: number };
  etaEpochS: number;
  expectedTimeOfArrival: string;
  scheduled: QuotedSlot | null;
  /** When a scheduled order may be offered to its store; absent for ASAP orders. */
  offer?: OfferTimes;
  /** Minutes that a scheduled order would take as an ASAP order; absent if `offer` is. */
  asapMinutes?: number;
  /** The delivering party; absent for pickup. */
  party?: PartyKind;
  /** Terms that fees and tax were computed from. */
  terms: StoreTerms;
  /** Set if another party delivers, so that no courier is requested. */
  withoutCourier?: true;
  /** Set where placing takes the most that goods by weight may come to, because no card can hold it. */
  isTakenNow?: true;
  /** The gateway's minimum charge; a smaller total of items sold by weight is free. Absent for other orders. */
  minimumCents?: number;
  /** Present where an outside service computed the taxes. */
  taxCalculation?: FrozenCalculation;
};

export type HeldStock = { productNo: number; quantity: number };

/** Details of the driver, as they become known. Positions are in degrees, the course in degrees from north. */
export type Driver = {
  /** The courier delivery's idempotency key; absent for a store's own driver. */
  courierKey?: string;
  name?: string;
  phone?: number;
  photoUrl?: string;
  rating?: number;
  vehicleType?: string;
  latitude?: number;
  longitude?: number;
  course?: number;
  /** When the position was measured, with fractions; without a position, when the driver took the last step. */
  updatedEpochS?: number;
  /** Straight-line meters per second over the last minutes on the way to the address. */
  recentSpeed?: number;
  /** When the driver accepted the delivery on the driver's page. */
  acceptedEpochS?: number;
  /** Whether the driver gets that page's link by SMS. */
  isLinkTexted?: boolean;
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
  /** The random part of the checkout's link, and the link's expiry; null for an order that was placed at once. */
  checkoutKey: string | null;
  checkoutUntil: Temporal.Instant | null;
  /** The four-digit PIN that completes the order; null without `dropOff.code`. Only the customer's pages show it. */
  handoverCode: string | null;
  /** Wrong codes so far. */
  handoverTries: number;
  /** Null while unplaced. */
  moneyPlan: MoneyPlan | null;
  chargeState: ChargeState;
  chargeAttempt: number;
  chargeStartedAt: Temporal.Instant | null;
  /** The gateway's charge that the customer must approve, in the current attempt. */
  waitingChargeId: string | null;
  chargeId: string | null;
  /** The most that the order may come to, which is held; null for an order that was charged when it was placed. */
  authorizedCents: number | null;
  /** The captured part; null until then, and if the capture failed. */
  capturedCents: number | null;
  /** The attempt whose hold `chargeId` is; behind `chargeAttempt` while another is made. */
  holdAttempt: number | null;
  /** Until when the card holds the money; null while it does not. */
  holdUntil: Temporal.Instant | null;
  /** Total charged, including tips that were added later. */
  chargedCents: number;
  refundedCents: number;
  /** Booked refunds that the gateway has not made yet. */
  refundingCents: number;
  /** The amount collected at the handoff, and its collector; null for other orders and until then. */
  collectedCents: number | null;
  collectedBy: Collector | null;
  /** Tip added after placing, which the customer pays. */
  addedTipCents: number;
  /** Tip added after placing that was too small to charge, which the operator pays. */
  waivedTipCents: number;
  /** The part of refunds, made and booked, that refunded the tip although its driver keeps it. */
  refundedTipCents: number;
  /** The part of `refundedCents` that no store sees: the account's part and its taxes, less discounts by others. */
  refundedAccountCents: number;
  /** Stock held at the store, counted live or in the order's sandbox. */
  stockHeld: readonly HeldStock[];
  slotHeld: boolean;
  /** Room held in the kitchen. */
  roomHeld: readonly CookedPart[];
  /** Items that the store hands off differently than ordered. */
  adjustments: readonly ItemAdjustment[];
  isReady: boolean;
  driver: Driver;
  driverStage: DriverStage;
  /** Number of the valid driver link, raised by each assignment; 0 before the first one. */
  driverLink: number;
  cancelReason: string | null;
  /** When the store's first channel received the order; null for a sandbox order, which is sent to no channel. */
  receivedAt: Temporal.Instant | null;
  /** When the food will be ready, as the store confirmed. */
  readyBy: Temporal.Instant | null;
  eta: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  placedAt: Temporal.Instant | null;
  /** Short number that store and customer use for the order, such as `A17`; null while unplaced. */
  orderNumber: string | null;
  /** When the order is offered to its store, possibly later than placing; null while unplaced. */
  offerAt: Temporal.Instant | null;
  /** When an unconfirmed order is canceled; counted from `offerAt`. */
  confirmBy: Temporal.Instant | null;
  completedAt: Temporal.Instant | null;
  canceledAt: Temporal.Instant | null;
  lastSequence: number;
  /** Whether its personal data is gone (forgotten-orders.db.ts). */
  isForgotten: boolean;
};

/** The gateway's idempotency key of one charge attempt. */
export function chargeKeyOf(order: Pick<Order, 'orderId' | 'chargeAttempt'>): string {
  return `${order.orderId}:${order.chargeAttempt}`;
}

/** The gateway's idempotency key of an order's refund. */
export const refundKeyOf = (order: Pick<Order, 'orderId' | 'chargeAttempt'>): string => `${chargeKeyOf(order)}:refund`;

/**
 * The money of an order. A refund is booked before the gateway makes it, so that no two refunds promise the same cents.
 */
export type Paid = { chargedCents: number; refundedCents: number; refundingCents: number };

/** Whether anyone but the store's own drivers brings an order; by the store's terms that may decide who has the fee. */
export function isOutsideDelivery(
  { party = 'first', withoutCourier }: Pick<FrozenQuote, 'party' | 'withoutCourier'>,
  { hasCourier, isPaidAtHandover }: { hasCourier: boolean; isPaidAtHandover: boolean },
): boolean {
  return party !== 'first' || (hasCourier && !withoutCourier && !isPaidAtHandover);
}

/** The customer's payments, less refunds made and booked. */
export function paidCents({ chargedCents, refundedCents, refundingCents }: Paid): number {
  return chargedCents - refundedCents - refundingCents;
}

type Tipped = Pick<Order, 'status' | 'driverStage' | 'addedTipCents' | 'refundedTipCents'> & {
  quote: Pick<FrozenQuote, 'tipCents'>;
};

/** Whether the order was canceled before a driver had it, so that its tip goes back as well. */
export function isTipReturned({ status, driverStage }: Pick<Order, 'status' | 'driverStage'>): boolean {
  return status === 'canceled' && !hasLeftTheStore({ driverStage });
}

/** Tip that no refund has returned to the customer. */
export function keptTipCents({ quote, addedTipCents, refundedTipCents }: Tipped): number {
  return quote.tipCents + addedTipCents - refundedTipCents;
}

/** Cents that can still be refunded without the tip, which is the driver's. */
export function refundableCents(order: Paid & Tipped): number {
  return Math.max(0, paidCents(order) - (isTipReturned(order) ? 0 : keptTipCents(order)));
}

/** The order number used at the counter, or the end of the id if there is none. */
export function shownOrderNumber({ orderId, orderNumber }: Pick<Order, 'orderId' | 'orderNumber'>): string {
  return orderNumber ?? orderId.slice(-4);
}

/** Whether the order has left the store, so that its items cannot return to sale. */
export function hasLeftTheStore({ driverStage }: Pick<Order, 'driverStage'>): boolean {
  return driverStage === 'picked_up' || driverStage === 'nearby';
}

/** Whether the order's last step is done, although money may still move. */
export const hasEnded = ({ status }: Pick<Order, 'status'>): boolean => status === 'completed' || status === 'canceled';

/** Whether the order belongs to the caller's account, key mode and user. Any other order counts as unknown. */
export function isOrderOf(order: Pick<Order, 'accountId' | 'mode' | 'request'>, caller: Caller): boolean {
  const isOfUser = caller.userId === undefined || caller.userId === order.request.customer.userId;
  return isOfUser && order.accountId === caller.accountId && order.mode === caller.mode;
}

/** A product as it is handed off, with its unit price in this order. */
export type HandedOverProduct = Pick<
  QuotedItem,
  | 'productId'
  | 'externalId'
  | 'name'
  | 'image'
  | 'unitCents'
  | 'markedUnitCents'
  | 'customizations'
  | 'food'
  | 'isAlcoholic'
  | 'taxClass'
  | 'weight'
>;

export type Substitute = HandedOverProduct & { productNo: number };

/** A store's change to an item; up to one per item. */
export type ItemAdjustment = {
  index: number;
  /** 0 or 1 of goods by weight. */
  quantity: number;
  substitute: Substitute | null;
  /** Absent until weighed. */
  scaled?: ScaledWeight;
};

/** Product ids that the customer accepts as substitutes for an item. */
export function requestedSubstitutes(substitution: Substitution | undefined): readonly string[] {
  return substitution?.preference === 'specific' ? substitution.productIds : [];
}

/** Known food facts of an ordered item: of the product, and of each option that has its own. */
export type QuotedFood = { product: Food | null; options: readonly { optionId: string; food: Food }[] };

/** Steps that a store, a courier or the sandbox may take; each of them may cancel. */
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

/** Steps that only a courier takes, real or simulated. No API request can request them. */
export const COURIER_EVENTS = ['courier_lost'] as const;
export type CourierEvent = (typeof COURIER_EVENTS)[number];

export type StepName = AdvanceEvent | CourierEvent;
