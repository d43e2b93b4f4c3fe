import type { Branding } from '../../access/accounts/branding.ts';
import { type TrackingSite, trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import { type CheckoutLinkDeps, checkoutMember } from '../../ordering/order/checkout-link.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import { isoSeconds } from '../../platform/lib/time.ts';
import { currencyOf, type Store } from '../../supply/stores/store.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { type CheckoutStatus, escalations, expiresAt, statusOf, type UcpCheckout } from './checkout.ts';
import { disclosures, dishTotals, linesOf, totalsOf } from './checkout-lines.ts';
import { methodOf, PREFERENCES, preferenceOf, TIP_OPTIONS } from './checkout-request.ts';
import type { Message } from './contract.ts';
import { presentAddress } from './locations.ts';
import type { Platform } from './price-checkout.flow.ts';

/** What a checkout is shown with. */
export type CheckoutView = {
  checkout: UcpCheckout;
  /** That of the checkout's ID, in any status. */
  order: Order | undefined;
  store: Store;
  branding: Pick<Branding, 'termsUrl' | 'privacyUrl'>;
  link: CheckoutLinkDeps & { site: TrackingSite };
  platform: Pick<Platform, 'orders' | 'isFulfillmentNegotiated' | 'isTipNegotiated'>;
  locale: Locale;
};

export type ShownCheckout = { status: CheckoutStatus; messages: readonly Message[]; body: object };

/**
 * Shows a checkout. What an order has, its quote says: a person may have changed it on its page. `more` are messages of
 * this answer alone, which do not count for the status.
 */
export function presentCheckout(view: CheckoutView, more: readonly Message[] = []): ShownCheckout {
  const { checkout, store, branding, link, platform, locale } = view;
  const { input, shown, checkoutId: id } = checkout;
  // The order of an earlier cart counts once it is placed: its link was given out.
  const order = checkout.isQuoted || view.order?.status !== 'unplaced' ? view.order : undefined;
  const { known, status, isOpen } = stateOf(view, order);
  const { checkout_url: url } = order && isOpen ? checkoutMember(order, link) : {};
  const messages = [...known, ...more];
  const lines = order ? linesOf(input, order.quote.items) : shown.lines;
  const totals = order ? totalsOf(order.quote, locale) : dishTotals(lines, locale);
  const body = {
    id,
    status,
    currency: currencyOf(store.address.country),
    food_establishment: presentStore(store),
    line_items: lines,
    ...(input.buyer ? { buyer: input.buyer } : {}),
    ...(platform.isFulfillmentNegotiated ? { fulfillment: presentFulfillment(view) } : {}),
    ...(platform.isTipNegotiated ? { tip: { ...input.tip, options: TIP_OPTIONS } } : {}),
    totals: platform.isFulfillmentNegotiated ? totals : totals.filter(({ type }) => type !== 'fulfillment'),
    ...(messages.length > 0 ? { messages } : {}),
    links: [
      ...(branding.privacyUrl === null ? [] : [{ type: 'privacy_policy', url: branding.privacyUrl }]),
      ...(branding.termsUrl === null ? [] : [{ type: 'terms_of_service', url: branding.termsUrl }]),
    ],
    expires_at: isoSeconds(expiresAt(checkout)),
    ...(url === undefined ? {} : { continue_url: url }),
    ...(order && status === 'completed' ? { order: presentConfirmation(order, link.site) } : {}),
  };
  return { status, messages, body };
}

/** The status, and the messages that are known: of what is placed or over, nothing is left to fix. */
function stateOf({ checkout, platform, link, locale }: CheckoutView, order: Order | undefined) {
  const before = order?.status === 'unplaced' ? escalations(order, platform, locale) : [];
  const known = order && !checkout.isQuoted ? disclosures(order.quote.items, locale) : checkout.shown.messages;
  const messages = [...known, ...before];
  const status = statusOf({ checkout, order, messages, now: link.now });
  const isOpen = (order?.status ?? 'unplaced') === 'unplaced' && status !== 'canceled';
  return { status, isOpen, known: isOpen ? messages : messages.filter(({ type }) => type !== 'error') };
}

const presentStore = ({ storeId, name, address }: Store) => ({ id: storeId, name, address: presentAddress(address) });

function presentConfirmation(order: Order, site: TrackingSite): object {
  const { orderId } = order;
  return { id: orderId, label: shownOrderNumber(order), tracking_url: trackingLinkOf(site, orderId) };
}

/** A destination under the name of its address that the platform used. */
function asNamed(destination: object): object {
  if (!('address' in destination) || !('postal_address' in destination)) return destination;
  const { address: _, ...named } = destination;
  return named;
}

function presentFulfillment({ checkout: { input, shown }, store, locale }: CheckoutView): object {
  const method = methodOf(input);
  if (!method?.type) return { available_methods: shown.availableMethods };
  const chosen = preferenceOf(method);
  const labels = locale.words.customer.dropOff.where;
  const { destination } = method;
  const shownDestination =
    method.type === 'pickup'
      ? { ...presentStore(store), type: 'business_location' }
      : destination && {
          id: 'dest_1',
          ...asNamed(destination),
          type: 'delivery_address',
          preference_options: PREFERENCES.map(({ id }) => ({ id, label: labels[id] })),
          selected_preference_option_ids: chosen === undefined ? [] : [chosen],
        };
  const { requested_fulfillment_time: time, notes } = method;
  return {
    available_methods: shown.availableMethods,
    methods: [
      {
        id: method.id ?? `method_${method.type}`,
        type: method.type,
        ...(shownDestination ? { destination: shownDestination } : {}),
        ...(time === undefined ? {} : { requested_fulfillment_time: time }),
        options: shown.options,
        ...(shown.selectedOptionId === null ? {} : { selected_option_id: shown.selectedOptionId }),
        ...(notes === undefined ? {} : { notes }),
      },
    ],
  };
}
