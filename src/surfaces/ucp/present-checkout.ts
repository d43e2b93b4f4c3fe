import { present } from 'doorstep/collections';
import type { Branding } from '../../access/accounts/branding.ts';
import { type TrackingSite, trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { type CheckoutLinkDeps, checkoutMember } from '../../ordering/order/checkout-link.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import type { PaymentMethod } from '../../ordering/payments/payment-method.ts';
import { isoSeconds } from '../../platform/lib/time.ts';
import { isUserKnown } from '../../supply/promotions/promotion-user.ts';
import { currencyOf, type Store } from '../../supply/stores/store.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { METHODS } from './catalog-request.ts';
import {
  type CheckoutStatus,
  escalations,
  expiresAt,
  type ShopLine,
  type ShownLine,
  statusOf,
  type Total,
  type UcpCheckout,
} from './checkout.ts';
import { disclosures, estimateOf, lineSums, linesOf, lineTotals, linksOf, totalsOf } from './checkout-lines.ts';
import { methodOf } from './checkout-request.ts';
import type { Message } from './contract.ts';
import { codeWarnings, presentDiscounts, shownCodes } from './discounts.ts';
import { presentAddress } from './locations.ts';
import type { Platform } from './price-checkout.flow.ts';
import { TOKEN_HANDLER_ID } from './profile.ts';

/** Input for presenting a checkout. */
export type CheckoutView = {
  checkout: UcpCheckout;
  /** That of the checkout's ID, in any status. */
  order: Order | undefined;
  store: Store;
  branding: Pick<Branding, 'termsUrl' | 'privacyUrl' | 'helpUrl'>;
  link: CheckoutLinkDeps & { site: TrackingSite };
  platform: Pick<
    Platform,
    'orders' | 'bearer' | 'cards' | 'isProven' | 'isFulfillmentNegotiated' | 'isDiscountNegotiated'
  >;
  locale: Locale;
};

export type ShownCheckout = { status: CheckoutStatus; messages: readonly Message[]; body: object };

/**
 * Shows a checkout. An order's quote overrides the request, because a person may have changed it on its page. `more`
 * are messages of only this response, which do not affect the status.
 */
export function presentCheckout(view: CheckoutView, more: readonly Message[] = []): ShownCheckout {
  const { checkout, store, branding, link, platform, locale } = view;
  const { input, shown, checkoutId: id } = checkout;
  // The order of an earlier cart counts once it is placed: its link was given out.
  const order = checkout.isQuoted || view.order?.status !== 'unplaced' ? view.order : undefined;
  const { known, status, isOpen } = stateOf(view, order);
  const { checkout_url: continue_url } = order && isOpen ? checkoutMember(order, link) : {};
  const lines = order ? linesOf(input.line_items, order.quote.items, order.quote) : shown.lines;
  const totals = order ? totalsOf(order.quote, locale) : lineSums(lines, locale);
  const { discounts, warnings } = discountsOf(view, order, totals);
  const estimate = order ? estimateOf(order, locale) : [];
  const messages = [...known, ...estimate, ...warnings, ...more];
  const body = {
    id,
    status,
    currency: currencyOf(store.address.country),
    totals: platform.isFulfillmentNegotiated ? totals : totals.filter(({ type }) => type !== 'fulfillment'),
    ...present({ discounts }),
    ...(messages.length > 0 ? { messages } : {}),
    links: linksOf(branding),
    expires_at: isoSeconds(expiresAt(checkout)),
    ...present({ continue_url }),
    ...contentOf(view, lines),
    ...(order && status === 'completed' ? { order: presentConfirmation(order, view) } : {}),
  };
  return { status, messages, body };
}

/** Only who has proven to be its platform or its customer sees the buyer. */
function contentOf(view: CheckoutView, lines: readonly ShownLine[]): object {
  const { isFulfillmentNegotiated, isProven, bearer, cards = [] } = view.platform;
  const { buyer, wanted } = view.checkout.input;
  const totals = new Map(lines.map((line) => [line.id, line.totals]));
  return {
    ...(isProven || bearer?.userId === view.checkout.userId ? present({ buyer }) : {}),
    ...(cards.length > 0 ? { payment: { instruments: cards.map(presentCard) } } : {}),
    line_items: wanted.map((line) => presentShopLine(line, totals.get(line.id) ?? lineTotals(0, 0))),
    ...(isFulfillmentNegotiated ? { fulfillment: presentFulfillment(view) } : {}),
  };
}

export const presentShopLine = (
  { id, itemId, title, unitCents, quantity, units }: ShopLine,
  totals: readonly Total[],
  more: { image_url?: string } = {},
) => ({ id, item: { id: itemId, title, price: unitCents, ...units, ...more }, quantity, totals });

/** A saved card as an instrument that pays by its ID. */
const presentCard = ({ paymentMethodId, brand, last4, expirationMonth, expirationYear }: PaymentMethod) => ({
  id: paymentMethodId,
  handler_id: TOKEN_HANDLER_ID,
  type: 'card',
  display: { brand, last_digits: last4, expiry_month: expirationMonth, expiry_year: expirationYear },
});

/** A shop checkout's discounts, and why codes don't apply; unquoted checkouts aren't judged. */
function discountsOf({ checkout, platform, locale }: CheckoutView, order: Order | undefined, totals: readonly Total[]) {
  const { codes: sent = [] } = checkout.input;
  if (!platform.isDiscountNegotiated) return { discounts: undefined, warnings: [] };
  const codes = order ? shownCodes(sent, order.request.promotionCodes ?? []) : sent;
  const paths = {
    pathOfLine: (line: number) => `$.line_items[${line}]`,
    deliveryPath: `$.totals[${totals.findIndex(({ type }) => type === 'fulfillment')}]`,
  };
  const quote = order?.quote ?? {};
  const isKnown = order !== undefined && isUserKnown(order.request.customer);
  return {
    discounts: presentDiscounts(codes, quote, paths, locale),
    warnings: codeWarnings(codes, quote, isKnown, locale),
  };
}

/** The status and the known messages: a placed or ended checkout has nothing left to fix. */
function stateOf({ checkout, platform, link, locale }: CheckoutView, order: Order | undefined) {
  const before = order?.status === 'unplaced' ? escalations(order, platform, checkout.shown, locale) : [];
  const known = order && !checkout.isQuoted ? disclosures(order.quote.items, locale) : checkout.shown.messages;
  const messages = [...known, ...before];
  const status = statusOf({ checkout, order, messages, now: link.now });
  const isOpen = (order?.status ?? 'unplaced') === 'unplaced' && status !== 'canceled';
  return { status, isOpen, known: isOpen ? messages : messages.filter(({ type }) => type !== 'error') };
}

function presentConfirmation(order: Order, { link, platform }: CheckoutView): object {
  const { orderId: id } = order;
  const { siteUrl } = link.site;
  // The link that changes an order is not for every program that acts for its customer.
  const url = trackingLinkOf(platform.bearer && !platform.isProven ? { siteUrl } : link.site, id);
  return { id, label: shownOrderNumber(order), permalink_url: url };
}

/** One method with one group of all lines. */
function presentFulfillment({ checkout: { input, shown }, store, locale }: CheckoutView): object {
  const line_item_ids = input.wanted.map(({ id }) => id);
  const { type, destination } = methodOf(input) ?? {};
  const isPickup = type === 'pickup';
  const { storeId, name, address } = store;
  const door = destination && { ...destination.address, id: 'dest_1', type: 'shipping_address' };
  const place = isPickup ? { id: storeId, name, type: 'business_location', address: presentAddress(address) } : door;
  const { options, selectedOptionId: selected } = shown;
  const { delivery, pickup } = locale.words.agent.catalog;
  return {
    methods: [
      {
        id: 'method_1',
        type: METHODS[isPickup ? 'pickup' : 'delivery'],
        line_item_ids,
        ...(place ? { destinations: [place], selected_destination_id: place.id } : {}),
        groups: [{ id: 'group_1', line_item_ids, options, ...(selected ? { selected_option_id: selected } : {}) }],
      },
    ],
    available_methods: shown.availableMethods.map(({ type: mode, fulfillable_on }) => ({
      type: METHODS[mode],
      line_item_ids,
      fulfillable_on,
      description: mode === 'pickup' ? pickup({ store: name }) : delivery,
    })),
  };
}
