import { type Customer, nameOf, namesIn } from '../../access/customers/customer.ts';
import { renameCustomer } from '../../access/customers/customers.db.ts';
import { centsIn } from '../../ordering/money/offered-tips.ts';
import type { Order, OrderRequest } from '../../ordering/order/order.ts';
import { type OrderFault, OrderRefused } from '../../ordering/order/order-faults.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { methodsOf } from '../../ordering/payments/payment-gateway.ts';
import { chooseCash, chooseWallet, openCardSetup } from '../../ordering/payments/save-card.flow.ts';
import {
  customerCaller,
  missingOnCheckout,
  placeCheckout,
  readCheckout,
  reviewCheckout,
  saveCheckout,
} from '../../ordering/place/checkout.flow.ts';
import type { FormAnswer } from '../../platform/http/form-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { saveAddress } from '../../supply/addresses/saved-addresses.db.ts';
import { writeAddress } from '../../supply/stores/street-address.ts';
import { basePathOf, siteUrlOf } from '../tracking/site-frame.flow.ts';
import {
  approvePage,
  CARD_BUTTON,
  CHOSEN_TIP,
  type CheckoutFrame,
  type CheckoutView,
  checkoutPage,
  toCardPage,
} from './checkout.page.ts';
import { type CheckoutForm, cartVersion, readCheckoutForm } from './checkout-form.ts';
import {
  afterwards,
  type Deps,
  FILES,
  type LiveVisit,
  returnTo,
  type Visit,
  walletsOf,
} from './checkout-visit.hook.ts';
import { paymentFault } from './fault-words.ts';

/* The checkout's page as the order would be placed now, its form, and the placing. */

type Shown = Pick<CheckoutView, 'notice' | 'typed' | 'faulty' | 'cardFault'> & {
  /** The customer's last view; the stored quote when the page is opened. */
  was?: CheckoutView['was'];
  /** Why the order was refused; if absent, the page quotes it again. */
  faults?: readonly OrderFault[];
};

/** The page for an order as it would be placed now. */
export async function readPage(deps: Deps, visit: Visit, order: Order, shown: Shown): Promise<string> {
  const { frame, branding, signIn } = visit;
  const checkout = await readCheckout(deps.db, order, signIn?.customer, shown.typed?.card);
  const review = shown.faults ? { faults: shown.faults } : await reviewCheckout(deps, checkout);
  const methods = methodsOf(deps.gateways, order.mode);
  const was = shown.was ?? { quote: order.quote, totalCents: order.quote.totalWithTipCents };
  return checkoutPage(frame, {
    ...shown,
    was,
    checkout,
    signIn,
    methods,
    wallet: await readWallet(deps, visit, order),
    quote: 'quote' in review ? review.quote : was.quote,
    faults: 'faults' in review ? review.faults : [],
    lacksAddress: missingOnCheckout(checkout.request).some((name) => ADDRESS.test(name)),
    links: {
      cancelUrl: returnTo(order, 'canceled'),
      changeUrl: returnTo(order, 'changed'),
      termsUrl: branding?.termsUrl ?? null,
      privacyUrl: branding?.privacyUrl ?? null,
    },
    now: deps.clock.now(),
  });
}

/** The wallets of an order's page, with the path of their module. */
async function readWallet(deps: Deps, visit: Visit, order: Order): Promise<CheckoutView['wallet']> {
  const wallets = walletsOf(deps, order);
  const files = wallets && (await deps.walletFiles?.());
  return (
    files && { publicKey: wallets.publicKey, module: `${basePathOf(deps.config, visit)}${FILES}/${files.script.name}` }
  );
}

/** Matches the address fields of an order's body. */
const ADDRESS = /^user_(street_num|street_name|city|state|zipcode|latitude|longitude)$/;

const lacksMethod = ({ chargeUser, paymentMethodId }: OrderRequest) => chargeUser && paymentMethodId === null;

/** Stores the form's input, then performs its button's action. */
export async function submit(deps: Deps, visit: LiveVisit, form: CheckoutForm): Promise<FormAnswer> {
  const { order, frame } = visit;
  // A typed code that isn't applied yet is shown with its total before the order is placed.
  const action = form.code?.trim() ? 'code' : (form.action ?? '');
  const checkout = await readCheckout(deps.db, order, visit.signIn?.customer, form.card);
  const { request, faulty } = readCheckoutForm({ request: checkout.request, quote: order.quote }, form);
  const acceptedCents = centsIn(form.total);
  const needsCard = action === 'place' && acceptedCents !== 0 && lacksMethod(request);
  const methods = methodsOf(deps.gateways, order.mode);
  const lacksCard = needsCard && methods.includes('card');
  if (faulty.length > 0 || lacksCard) {
    const cardFault = lacksCard ? frame.locale.words.checkout.card.missing : undefined;
    return { status: 422, html: await readPage(deps, visit, order, { typed: form, faulty, cardFault }) };
  }
  const token = walletToken(deps, order, { ...form, action });
  if ((action === 'place' || token) && acceptedCents !== undefined) {
    if (needsCard) await chooseCash(deps, setupOf(deps, visit, order, request));
    const place = async () => {
      const paid = token ? await payByWallet(deps, visit, request, form, token) : form;
      return placeCheckout(deps, order, (current) => enterForm(deps, visit, current, paid), acceptedCents);
    };
    return answerPlacing(deps, visit, { totalCents: acceptedCents, cart: form.cart }, place);
  }
  const seen = { totalCents: acceptedCents ?? order.quote.totalWithTipCents };
  const saved = await saveCheckout(deps, order, request).catch((error) => answerRefusal(deps, visit, seen, error));
  if (!('orderId' in saved)) return saved;
  if (saved.status !== 'unplaced') return { location: afterwards(deps, saved) };
  if (action === 'cash' && methods.includes('cash')) {
    await chooseCash(deps, setupOf(deps, visit, saved, request));
    return { location: `${frame.ownPath}#${CARD_BUTTON}` };
  }
  if (action !== 'card' || !methods.includes('card')) return { location: `${frame.ownPath}#${placeAfter(action)}` };
  const setup = { ...setupOf(deps, visit, saved, request), language: frame.locale.language };
  return { html: toCardPage(frame, await openCardSetup(deps, setup)) };
}

/** The token of the wallet that pays; undefined or empty for another button. */
const walletToken = (deps: Deps, order: Order, { action, payment_token: token }: CheckoutForm) =>
  action === 'wallet' && walletsOf(deps, order) ? token : undefined;

/** The form with the card of a wallet, which pays like a card entered on the card page. */
async function payByWallet(deps: Deps, visit: LiveVisit, request: OrderRequest, form: CheckoutForm, token: string) {
  const setup = setupOf(deps, visit, visit.order, request);
  return { ...form, card: await chooseWallet(deps, customerCaller(visit.order), setup, token) };
}

/** The element that has the focus after a button of the form, so that the customer continues where they were. */
function placeAfter(action: string): string {
  if (action === 'tip-amount') return 'tip_amount';
  if (action === 'code' || action.startsWith('remove-')) return 'code';
  return action.startsWith('tip-') ? CHOSEN_TIP : 'main';
}

/**
 * The request with the customer's entries. Refuses a cart that the customer has not seen; a running charge continues.
 */
async function enterForm({ db }: Deps, { signIn }: Visit, order: Order, form: CheckoutForm): Promise<OrderRequest> {
  const isOpen = order.status === 'unplaced' && order.chargeState !== 'pending';
  if (isOpen && isOtherCart(order, form.cart)) throw new Refusal('quote_changed', 'The cart was replaced.');
  const { request } = await readCheckout(db, order, signIn?.customer, form.card);
  return readCheckoutForm({ request, quote: order.quote }, form).request;
}

const isOtherCart = (order: Order, seen: string | undefined) => seen !== undefined && seen !== cartVersion(order);

function setupOf(deps: Deps, visit: Visit, { accountId, mode, orderId }: Order, { customer, payerId }: OrderRequest) {
  const returnUrl = new URL(`${visit.frame.ownPath}#${CARD_BUTTON}`, siteUrlOf(deps.config, visit)).href;
  return { accountId, mode, orderId, userId: payerId ?? customer.userId, userEmail: customer.email, returnUrl };
}

/** The total and the cart that the customer has seen. */
type Seen = { totalCents: number; cart?: string | undefined };

/** The response to the placing of an order. */
export async function answerPlacing(
  deps: Deps,
  visit: LiveVisit,
  seen: Seen,
  place: () => Promise<Order>,
): Promise<FormAnswer> {
  const placed = await place().catch((error) => answerRefusal(deps, visit, seen, error));
  if (!('orderId' in placed)) return placed;
  if (placed.status === 'unplaced') return { location: visit.frame.ownPath };
  if (visit.signIn?.customer) await keepForNext(deps, visit.signIn.customer, placed);
  return { location: afterwards(deps, placed) };
}

/** Keeps the defaults of a signed-in customer's next order: name and address. */
async function keepForNext({ db, clock }: Deps, customer: Customer, { request }: Order): Promise<void> {
  const { name, latitude, longitude, ...parts } = request.customer;
  if (name.trim() !== nameOf(customer)) await renameCustomer(db, customer, namesIn(name));
  if (request.mode !== 'delivery' || latitude === null || longitude === null) return;
  const { streetNum, streetName, aptNum, city, state, zipcode } = parts;
  const door = { streetNum, streetName, aptNum, city, state, zipcode };
  await saveAddress(db, customer, { address: writeAddress(door), latitude, longitude, parts: door }, clock.now());
}

/** The page again, with the reason for the error. Errors that the customer cannot resolve are rethrown. */
async function answerRefusal(
  deps: Deps,
  visit: LiveVisit,
  { totalCents, cart }: Seen,
  error: unknown,
): Promise<FormAnswer> {
  if (!(error instanceof Refusal || error instanceof OutsideError)) throw error;
  const { frame, order: before } = visit;
  const { payment, changes } = frame.locale.words.checkout;
  const order = (await findAnyOrder(deps.db, before.orderId)) ?? before;
  if (order.status !== 'unplaced') return { location: afterwards(deps, order) };
  const was = { quote: before.quote, totalCents };
  // An accepted and stored total is no longer shown as a change.
  const isStored = order.quote.totalWithTipCents === totalCents;
  const again = async (status: number, shown: Shown): Promise<FormAnswer> => ({
    status,
    html: await readPage(deps, visit, order, { was: isStored ? { ...was, quote: order.quote } : was, ...shown }),
  });
  if (error instanceof OrderRefused) {
    return again(error.code === 'invalid_request' ? 400 : 409, { faults: error.faults, was });
  }
  const code = error instanceof Refusal ? error.code : undefined;
  if (code === 'quote_changed') {
    return again(409, { was, notice: isOtherCart(order, cart) ? changes.cart : undefined });
  }
  if (code === 'idempotency_in_progress') return again(409, { notice: payment.busy });
  return answerPayment(frame, error, order.quote.totalWithTipCents, again);
}

/** The page before the customer's bank, if the bank asks for an approval, otherwise the page again, with the reason. */
export async function answerPayment(
  frame: CheckoutFrame,
  error: unknown,
  cents: number,
  again: (status: number, shown: { notice: string } | { cardFault: string }) => Promise<FormAnswer>,
): Promise<FormAnswer> {
  const { locale } = frame;
  if (error instanceof OutsideError) return again(503, { notice: locale.words.checkout.payment.unreachable });
  if (!(error instanceof Refusal)) throw error;
  const url = error.extras.members?.authentication_url;
  if (typeof url === 'string') return { status: 402, html: approvePage(frame, url, cents) };
  const fault = paymentFault(locale, error);
  if (!fault) throw error;
  return again(fault.status, fault);
}
