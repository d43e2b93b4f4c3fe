import { plainBranding } from '../../src/access/accounts/branding.ts';
import type { MessageContext } from '../../src/notify/messages/message-context.ts';
import type { Order, OrderedWeight, QuotedItem } from '../../src/ordering/order/order.ts';
import { NO_SHARES } from '../../src/ordering/order/shares.ts';
import { type OrderToPrice, priceOrder } from '../../src/supply/pricing/price-order.ts';

const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');

const NO_FEE = { flatCents: 0, percent: 0 };
/** As long as a service's links: an id of 28 letters, a key of 22. */
export const TRACKING_LINK =
  'https://tracking.example.com/tracking?tracking_id=ord_i51EPLVCwpjbBxIZm0rSDl5r&key=Zk3vQ0m1XyT9bLr7cHs2Aw';

export const CARD_PAGE_URL = TRACKING_LINK.replace('/tracking?', '/checkout/card?');

/** Two units of an item with a nested modifier, every kind of fee, and marked prices. */
const one = { conditionalPrice: {}, defaultQty: 0, quantity: 1 };
const DIP = { ...one, id: 'd', name: 'D', priceCents: 25, quantity: 2, markedPriceCents: null, customizations: [] };
const dips = [{ id: 'dip', name: 'Dip', options: [DIP] }];
const LARGE = { ...one, id: 'l', name: 'L', priceCents: 600, markedPriceCents: 650, customizations: dips };
const customizations = [{ id: 'size', name: 'Size', options: [LARGE] }];

export const DINNER: OrderToPrice = {
  lines: [{ priceCents: 1400, quantity: 2, markedPriceCents: 1500, taxClass: 'prepared_food', customizations }],
  mode: 'delivery',
  fees: {
    deliveryFee: { flatCents: 299, percent: 0, taxable: false, thresholds: [] },
    serviceFee: { flatCents: 100, percent: 0, minCents: 0, maxCents: null, taxable: false },
    pickupServiceFee: null,
    smallOrderFee: { ...NO_FEE, minimumOrderCents: 0 },
    orderMinimumCents: 0,
    taxes: [{ name: 'Sales tax', percent: 10 }],
  },
  slotDeliveryFee: null,
  tipCents: 300,
  receipt: {
    pricesMarked: true,
    addedFee: { flatCents: 150, percent: 0, taxable: true },
    miscFees: [{ name: 'Bag fee', amountCents: 10 }],
  },
};

/** The same at the store's prices, without anything that the account adds. */
export const PLAIN_DINNER: OrderToPrice = {
  ...DINNER,
  receipt: { pricesMarked: false, addedFee: { ...NO_FEE, taxable: false }, miscFees: [] },
};

export type ContextTexts = {
  store: string;
  address: string;
  item: string;
  option: string;
  customization: string;
  notes: string;
  fee: string;
  customer: string;
  street: string;
  reason: string;
  driver: string;
  displayName: string;
  logoUrl: string;
};

const TEXTS: ContextTexts = {
  store: 'Test Pizzeria',
  address: '120 5th Ave, New York, NY 10011',
  item: 'Margherita',
  option: 'Olives',
  customization: 'Toppings',
  notes: '',
  fee: 'Bag fee',
  customer: 'Test Customer',
  street: 'W 21st St',
  reason: 'out_of_stock',
  driver: 'Test Driver',
  displayName: 'Grocer & Sons',
  logoUrl: 'https://logo.example/logo.png',
};

/** A placed, charged order of the priced items as messages render it; tests may set every text. */
export function givenMessageContext(
  toPrice: OrderToPrice,
  {
    unifyServiceFee = false,
    country = 'US' as 'US' | 'CA',
    texts = {} as Partial<ContextTexts>,
    weights = [] as Weights,
  } = {},
): MessageContext {
  const all = { ...TEXTS, ...texts };
  const request = requestOf(toPrice, unifyServiceFee, all);
  const order = { ...STATE, request, quote: quoteOf(toPrice, country, { all, weights }) };
  const placed = { ...order, chargedCents: order.quote.totalWithTipCents, cancelReason: all.reason };
  return {
    order: { ...placed, driver: { name: all.driver } } as unknown as Order,
    at: NOW,
    branding: { ...plainBranding('acc_1'), displayName: all.displayName, logoUrl: all.logoUrl },
    trackingLink: TRACKING_LINK,
    cardPageUrl: CARD_PAGE_URL,
    card: { brand: 'visa', last4: '4242' },
    refundCents: placed.chargedCents,
    refunds: [],
  };
}

const STATE = {
  orderId: 'ord_0123456789abcdefghijkl',
  orderNumber: 'A17',
  accountId: 'acc_1',
  mode: 'sandbox',
  refundedCents: 0,
  refundingCents: 0,
  collectedCents: null,
  moneyPlan: 'charged',
  authorizedCents: null,
  holdAttempt: null,
  holdUntil: null,
  collectedBy: null,
  capturedCents: null,
  addedTipCents: 0,
  waivedTipCents: 0,
  refundedTipCents: 0,
  refundedAccountCents: 0,
  eta: NOW.add({ minutes: 40 }),
  adjustments: [],
};

function requestOf({ mode, lines, receipt }: OrderToPrice, unifyServiceFee: boolean, all: ContextTexts) {
  return {
    mode,
    items: lines.map(({ quantity }, at) => ({ productId: `p${at}`, quantity, selectedOptions: [], notes: all.notes })),
    chargeUser: true,
    disableSms: false,
    customerOrderId: all.notes,
    receipt: { pricesMarked: receipt.pricesMarked, unifyServiceFee, disableEmail: false },
    customer: {
      name: all.customer,
      email: 'u1@example.com',
      phone: 12125550199,
      latitude: 40.7409,
      longitude: -73.9897,
      streetNum: '10',
      streetName: all.street,
      aptNum: all.notes,
      city: all.street,
      state: 'NY',
      zipcode: '10010',
      dropoffNotes: all.notes,
      pickupNotes: all.notes,
    },
  };
}

type Weights = readonly (Partial<OrderedWeight> | undefined)[];

function quoteOf(
  toPrice: OrderToPrice,
  country: 'US' | 'CA',
  { all, weights }: { all: ContextTexts; weights: Weights },
) {
  const { lines, addedFeeCents, addedSalesTaxCents, addedTaxes, ...price } = priceOrder(toPrice);
  const { mode, fees, slotDeliveryFee } = toPrice;
  const items = lines.map(({ taxParts, ...line }, at): QuotedItem => {
    const { taxClass = 'general', weight } = toPrice.lines[at] ?? {};
    return {
      ...line,
      productId: `p${at}`,
      externalId: `e${at}`,
      name: all.item,
      ...(weight && {
        weight: { unit: 'lb', ordered: weight.milli, max: weight.milli, ...weights[at], per: weight.per },
      }),
      image: null,
      notes: all.notes,
      isAlcoholic: false,
      taxClass,
      ...(taxParts.length > 1 ? { taxParts } : {}),
      customizations: renamed(line.customizations, all),
    };
  });
  return {
    ...price,
    quoteId: 'quo_1',
    store: {
      name: all.store,
      address: all.address,
      country,
      timeZone: 'America/New_York',
      phoneNumber: 12125550123,
      state: 'NY',
      latitude: 40.7383,
      longitude: -73.9927,
    },
    items,
    addedFee: {
      ...toPrice.receipt.addedFee,
      totalCents: addedFeeCents,
      salesTaxCents: addedSalesTaxCents,
      taxes: addedTaxes,
    },
    miscFees: toPrice.receipt.miscFees.map(({ amountCents }) => ({ name: all.fee, amountCents })),
    etaEpochS: NOW.add({ minutes: 40 }).epochMilliseconds / 1000,
    expectedTimeOfArrival: '01:40 PM',
    scheduled: null,
    terms: { mode, fees, slotDeliveryFee },
  };
}

function renamed(customizations: QuotedItem['customizations'], all: ContextTexts): QuotedItem['customizations'] {
  return customizations.map((one) => ({
    ...one,
    name: all.customization,
    options: one.options.map((option) => ({
      ...option,
      name: all.option,
      customizations: renamed(option.customizations, all),
    })),
  }));
}

/** A refund of one unit after an earlier refund of an amount, both with `texts.reason` as their reason. */
export function givenRefundContext(
  toPrice: OrderToPrice,
  options: Parameters<typeof givenMessageContext>[1] = {},
): MessageContext {
  const context = givenMessageContext(toPrice, options);
  const { order } = context;
  const refund = {
    orderId: order.orderId,
    kind: 'requested',
    reason: order.cancelReason ?? '',
    requestedBy: null,
    tipCents: 0,
    shares: NO_SHARES,
    state: 'done',
  } as const;
  const dates = { createdAt: NOW, endedAt: NOW };
  const units = [{ index: 0, quantity: 1, cents: 400, taxCents: 35, taxes: [35], shares: NO_SHARES }];
  return {
    ...context,
    order: { ...order, cancelReason: null, refundedCents: 735 },
    refundCents: 435,
    refunds: [
      { ...refund, ...dates, refundId: 'rf_1', key: '1', items: [], cents: 300, refundedCents: 300, sequence: 3 },
      { ...refund, ...dates, refundId: 'rf_2', key: '2', items: units, cents: 435, refundedCents: 435, sequence: 4 },
    ],
  };
}
