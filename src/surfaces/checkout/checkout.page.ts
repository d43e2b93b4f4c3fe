import { type Html, html, safeHttpUrl } from 'doorstep/html';
import { firstName } from 'doorstep/search-engine/text';
import { type Customer, nameOf } from '../../access/customers/customer.ts';
import { offeredTips } from '../../ordering/money/offered-tips.ts';
import { chargesOf, estimateInWords } from '../../ordering/money/receipt.ts';
import { minAgeOf } from '../../ordering/order/alcohol.ts';
import { handoverLines, handoverOf } from '../../ordering/order/drop-off.ts';
import type { EnteredField, FrozenQuote, Order, OrderRequest, QuotedItem } from '../../ordering/order/order.ts';
import type { OrderFault } from '../../ordering/order/order-faults.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { chosenOptions } from '../../ordering/order/order-view.ts';
import { foodSentences } from '../../ordering/order/quoted-food.ts';
import { discountRow, itemDiscountLines } from '../../ordering/order/shown-discounts.ts';
import { holdCents, isWeighedOrder } from '../../ordering/order/weighed-order.ts';
import { weightInWords } from '../../ordering/order/wording.ts';
import type { PaymentKind } from '../../ordering/payments/payment-gateway.ts';
import { CARD_BRAND_NAMES, type PaymentMethod } from '../../ordering/payments/payment-method.ts';
import type { Checkout } from '../../ordering/place/checkout.flow.ts';
import { formField } from '../../platform/lib/form-field.ts';
import { phoneInWords } from '../../platform/lib/phone.ts';
import { rejectionInWords } from '../../supply/pricing/promotion.ts';
import { isUserKnown } from '../../supply/promotions/promotion-user.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import { writeAddress } from '../../supply/stores/street-address.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { type PageRefusal, reasonOf, refusalWords } from '../../texts/refusals.ts';
import { destinationWords, storeAddressWords } from '../tracking/page-words.ts';
import { type SiteFrame, type SitePage, siteDocument } from '../tracking/site.page.ts';
import { type CheckoutForm, cartVersion, type FormField, fieldsToEnter } from './checkout-form.ts';
import { faultInWords } from './fault-words.ts';
import { type QuoteChange, quoteChanges } from './quote-changes.ts';

/* The checkout pages, complete without scripts. */

export type CheckoutFrame = SiteFrame & {
  /** URL of the page itself with its `?lang=`, the target of its forms. */
  ownPath: string;
};

function checkoutDocument(
  frame: CheckoutFrame,
  { title, main, head }: Pick<SitePage, 'title' | 'main' | 'head'>,
): string {
  const script = html`<script type="module" src="${frame.scriptPath}"></script>
${head}`;
  return siteDocument(frame, { title, description: frame.locale.words.checkout.page.description, head: script, main });
}

/** A page with one message and a link to the next step. */
function notePage(
  frame: CheckoutFrame,
  { title, detail, next, head }: { title: string; detail: string; next?: Html | undefined; head?: Html },
): string {
  const main = html`<main id="main" tabindex="-1"><section class="card"><h1>${title}</h1>
<p class="detail">${detail}</p>
${next}</section></main>`;
  return checkoutDocument(frame, { title, main, head });
}

export function unknownPage(frame: CheckoutFrame): string {
  const { unknownTitle, unknown } = frame.locale.words.checkout.ended;
  return notePage(frame, { title: unknownTitle, detail: unknown });
}

export function expiredPage(frame: CheckoutFrame, backUrl: string | undefined): string {
  const { ended, faults } = frame.locale.words.checkout;
  const next = backUrl === undefined ? undefined : html`<a class="action" href="${backUrl}">${faults.back}</a>`;
  return notePage(frame, { title: ended.expiredTitle, detail: ended.expired, next });
}

/** The page for a request refused before its order was read, with a link back if the checkout link is known. */
export function refusedPage(frame: CheckoutFrame, code: PageRefusal, backUrl: string | undefined): string {
  const { refused, payment } = frame.locale.words.checkout;
  const { title, detail } = refusalWords(frame.locale, code);
  const next = backUrl === undefined ? undefined : html`<a class="action main" href="${backUrl}">${payment.back}</a>`;
  const isOurs = reasonOf(code) === 'unavailable';
  return notePage(frame, { title, detail: isOurs ? `${detail} ${refused.notTwice}` : detail, next });
}

/** The page for a used link. It links to the order's page, without the key that cancels the order. */
export function placedPage(frame: CheckoutFrame, trackingUrl: string): string {
  const { checkout, customer } = frame.locale.words;
  const { placedTitle, placed } = checkout.ended;
  const next = html`<a class="action main" href="${trackingUrl}">${customer.mail.track}</a>`;
  return notePage(frame, { title: placedTitle, detail: placed, next });
}

/** Asks whether to order the same again. Nothing is created before the form is sent. */
export function repeatPage(frame: CheckoutFrame, { quote }: Order, link: { tracking_id: string; key: string }): string {
  const { title, detail, go } = frame.locale.words.checkout.repeat;
  const next = html`<form method="post" action="${frame.ownPath}">
<input type="hidden" name="tracking_id" value="${link.tracking_id}"><input type="hidden" name="key" value="${link.key}">
<button type="submit" class="action main">${go}</button></form>`;
  return notePage(frame, { title, detail: detail({ store: quote.store.name }), next });
}

export function cannotRepeatPage(
  { locale, ...frame }: CheckoutFrame,
  order: Order,
  faults: readonly OrderFault[],
  now: Temporal.Instant,
): string {
  const zone = orderZone(order);
  const sentences = new Set(faults.map((fault) => faultInWords(locale, order.quote, fault, { zone, now })));
  if (sentences.size === 0) sentences.add(locale.words.checkout.faults.other);
  const { cannot } = locale.words.checkout.repeat;
  const main = html`<main id="main" tabindex="-1"><section class="card faults"><h1>${cannot}</h1>
<ul>${[...sentences].map((sentence) => html`<li>${sentence}</li>`)}</ul></section></main>`;
  return checkoutDocument({ ...frame, locale }, { title: cannot, main });
}

/**
 * A page that leads to the gateway's card page. A form's redirect may not leave the allowed hosts, and the card page
 * may be on any.
 */
export function toCardPage(frame: CheckoutFrame, url: string): string {
  const { title, leaving, next } = frame.locale.words.checkout.card;
  const head = html`<meta http-equiv="refresh" content="0; url=${url}">`;
  const link = html`<a class="action main" href="${url}" rel="noreferrer">${next}</a>`;
  return notePage(frame, { title, detail: leaving, next: link, head });
}

/** The page before the customer approves the charge at the bank. */
export function approvePage(frame: CheckoutFrame, url: string, totalCents: number): string {
  const { locale } = frame;
  const { approveTitle, approve, toBank, back } = locale.words.checkout.payment;
  const next = html`<a class="action main" href="${url}" rel="noreferrer">${toBank}</a>
<a class="action" href="${frame.ownPath}">${back}</a>`;
  return notePage(frame, { title: approveTitle, detail: approve({ total: locale.format.money(totalCents) }), next });
}

type CardPageView = {
  /** The required action, and its deadline. */
  lead: string;
  card: PaymentMethod | undefined;
  orderPath: string;
  notice?: string | undefined;
  cardFault?: string | undefined;
};

/** The page for a placed order whose authorization has expired: another card, or the same once more. */
export function cardPage(frame: CheckoutFrame, { lead, card, orderPath, notice, cardFault }: CardPageView): string {
  const { checkout, customer } = frame.locale.words;
  const title = customer.mail.declined.headline;
  const main = html`<main id="main" tabindex="-1"><section class="card"><h1>${title}</h1>
${cardFault && html`<p class="fault" role="alert">${cardFault}</p>`}
${notice && html`<p class="notice" role="alert">${notice}</p>`}
<p class="detail">${lead}</p>
<form method="post" action="${frame.ownPath}">
<button type="submit" class="action main" name="action" value="card">${checkout.card.other}</button>
${card && html`<button type="submit" class="action" name="action" value="again">${checkout.card.again({ card: shownCard(card, checkout.card) })}</button>`}
</form>
<a class="action" href="${orderPath}">${customer.actions.back}</a></section></main>`;
  return checkoutDocument(frame, { title, main });
}

function shownCard({ brand, last4 }: PaymentMethod, says: Locale['words']['checkout']['card']): string {
  return says.shown({ brand: CARD_BRAND_NAMES[brand] ?? says.anyBrand, last4 });
}

export type CheckoutView = {
  checkout: Checkout;
  /** How the order can be paid. */
  methods: readonly PaymentKind[];
  /** The wallets of the gateway: their key, and the path of their module for browsers. */
  wallet?: { publicKey: string; module: string } | undefined;
  /** The current quote; the stored one if the order cannot be placed. */
  quote: FrozenQuote;
  /** Where the customer can sign in, and who has; absent where no one can. */
  signIn?: { path: string; customer: Customer | undefined } | undefined;
  /** The customer's last view: the quote, and the total of the submitted form's page. */
  was: { quote: FrozenQuote; totalCents: number };
  faults: readonly OrderFault[];
  /** Whether a part of the address is missing, which only the client can add. */
  lacksAddress: boolean;
  /** A sentence about what has just happened. */
  notice?: string | undefined;
  /** The customer's input, if it could not be used. */
  typed?: CheckoutForm | undefined;
  faulty?: readonly FormField[] | undefined;
  /** Why the card or cash did not pay, or that there is none. */
  cardFault?: string | undefined;
  links: {
    cancelUrl?: string | undefined;
    changeUrl?: string | undefined;
    termsUrl: string | null;
    privacyUrl: string | null;
  };
  now: Temporal.Instant;
};

/** The page for an order that can still be placed. */
export function checkoutPage(frame: CheckoutFrame, view: CheckoutView): string {
  const { checkout, quote, faulty = [] } = view;
  const { page } = frame.locale.words.checkout;
  const isPlaceable = view.faults.length === 0 && !view.lacksAddress;
  const hasFaults = faulty.length > 0 || view.cardFault !== undefined;
  const title = hasFaults ? page.error({ title: page.title }) : page.title;
  const main = html`<main id="main" tabindex="-1">
${checkout.order.mode === 'sandbox' && html`<p class="test">${page.test}</p>`}
<h1>${frame.locale.words.customer.receipt.from({ store: quote.store.name })}</h1>
${leftOutNote(frame, checkout)}
${view.notice !== undefined && html`<p class="card notice" role="alert">${view.notice}</p>`}
${!isPlaceable && faultsSection(frame, view)}
${isPlaceable && changesSection(frame, view)}
${isPlaceable ? formSection(frame, view) : html`${placeSection(frame, view)}${itemsSection(frame, view)}`}
</main>`;
  return checkoutDocument(frame, { title, main });
}

/** Items of the repeated order that the new one lacks. */
function leftOutNote({ locale }: CheckoutFrame, { request: { leftOut = [] } }: Checkout): Html | null {
  if (leftOut.length === 0) return null;
  const items = locale.format.list(leftOut);
  return html`<p class="card notice" role="alert">${locale.words.checkout.repeat.leftOut({ items })}</p>`;
}

function faultsSection({ locale }: CheckoutFrame, view: CheckoutView): Html {
  const { faults, lacksAddress, was, checkout, links, now } = view;
  const words = locale.words.checkout.faults;
  const zone = orderZone({ request: checkout.request, quote: was.quote });
  const sentences = new Set(faults.map((fault) => faultInWords(locale, was.quote, fault, { zone, now })));
  if (lacksAddress) sentences.add(words.address);
  return html`<section class="card faults" role="alert" aria-labelledby="faults-title"><h2 id="faults-title">${words.title}</h2>
<ul>${[...sentences].map((sentence) => html`<li>${sentence}</li>`)}</ul>
${links.changeUrl === undefined ? html`<p>${words.noBack}</p>` : html`<a class="action main" href="${links.changeUrl}" rel="noreferrer">${words.back}</a>`}
</section>`;
}

/** Lines whose amounts differ from the client's or the previous page's. */
function changesSection({ locale }: CheckoutFrame, { quote, was }: CheckoutView): Html | null {
  const { words, format } = locale;
  const says = words.checkout.changes;
  const labels = amountLabels(locale);
  const isMoved = was.quote.store.storeId !== quote.store.storeId;
  if (was.totalCents === quote.totalWithTipCents && !isMoved) return null;
  const nameOf = (change: QuoteChange) => {
    if (change.kind === 'item') return change.name;
    return change.kind === 'discount' ? discountRow(change.discount, locale).label : labels[CHANGED[change.kind]];
  };
  const row = (change: QuoteChange) =>
    html`<li>${says.line({
      name: nameOf(change),
      before: format.money(change.beforeCents),
      after: format.money(change.afterCents),
    })}</li>`;
  const total = { before: format.money(was.totalCents), after: format.money(quote.totalWithTipCents) };
  return html`<section id="changes" class="card changes" role="alert" aria-labelledby="changes-title"><h2 id="changes-title">${says.title}</h2>
${isMoved && html`<p>${says.moved({ store: quote.store.name, address: storeAddressWords(quote.store.address) })}</p>`}
${was.totalCents !== quote.totalWithTipCents && html`<p>${says.total(total)}</p>`}
<ul>${quoteChanges(was.quote, quote).map(row)}</ul></section>`;
}

/** Amounts are called as on the receipt. */
const amountLabels = ({ words }: Locale) => ({ ...words.customer.receipt, ...words.checkout.amounts });

const CHANGED = {
  delivery_fee: 'deliveryFee',
  service_fee: 'serviceFee',
  small_order_fee: 'smallOrderFee',
  other_fees: 'otherFees',
  taxes: 'taxes',
  tip: 'tip',
} as const;

function placeSection({ locale }: CheckoutFrame, { checkout, quote, now }: CheckoutView): Html {
  const { words } = locale;
  const says = words.checkout.place;
  const { places } = words.customer;
  const { request } = checkout;
  const { customer } = request;
  const isDelivery = request.mode === 'delivery';
  const fact = (label: string, value: string) => value !== '' && html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const isEntered = request.enteredOnCheckout?.includes('name');
  const instructions = handoverLines(handoverOf({ request }), words.customer.dropOff).join(' · ');
  const minAge = minAgeOf({ quote, adjustments: [] });
  const { minimum: from, maximum: to } = quote.minutes;
  const minutes = from === to ? words.live.minutes({ count: to }) : words.live.minutesBetween({ from, to });
  return html`<section class="card" aria-labelledby="place-title"><h2 id="place-title">${isDelivery ? places.delivery : places.pickup}</h2>
<dl class="facts">
${isDelivery ? fact(words.customer.mail.deliverTo, addressInWords(request)) : fact(says.pickUpAt, storeAddressWords(quote.store.address))}
${isEntered ? null : fact(says.recipient, request.repeats === undefined ? customer.name : firstName(customer.name))}
${quote.scheduled === null ? fact(isDelivery ? says.arrivesIn : says.readyIn, minutes) : fact(places.scheduledFor, locale.format.slot(quote.scheduled, orderZone({ request, quote }), now))}
${request.repeats === undefined && fact(isDelivery ? says.dropoffNotes : says.pickupNotes, instructions)}
${minAge !== null && fact(says.alcohol, says.showId({ age: minAge }))}
</dl></section>`;
}

/**
 * The whole address, for its customer to check. For a repeated order, only the parts on the order's page, because its
 * link may have been passed on.
 */
function addressInWords({ customer, repeats }: OrderRequest): string {
  return repeats === undefined ? writeAddress(customer) : destinationWords(customer);
}

const totalWord = (quote: FrozenQuote, { checkout: { amounts } }: Locale['words']): string =>
  isWeighedOrder(quote) ? amounts.estimated : amounts.total;

function itemsSection({ locale }: CheckoutFrame, { quote }: CheckoutView): Html {
  const { words, format } = locale;
  const says = amountLabels(locale);
  const entry = (
    item: QuotedItem,
    at: number,
  ) => html`<li><div class="line"><span><span class="quantity">${item.weight ? weightInWords(item.weight, locale) : html`${item.quantity}<span aria-hidden="true"> ×</span>`}</span> ${item.name}</span><span class="price">${format.money(item.markedTotalCents)}</span></div>
${choices(item, locale)}${itemDiscountLines(quote, at, locale).map((line) => html`<p class="item-notes">${line}</p>`)}${foodSentences(item, locale).map((known) => html`<p class="item-notes">${known}</p>`)}${item.notes !== '' && html`<p class="item-notes">${words.customer.receipt.note({ note: item.notes })}</p>`}</li>`;
  const terms = { isDelivery: quote.terms.mode === 'delivery', unifyServiceFee: false };
  const charges = chargesOf(quote, terms, locale, says.otherFees);
  const estimate = isWeighedOrder(quote) && estimateInWords(quote, locale);
  const row = (label: string, cents: number) =>
    html`<tr><th scope="row">${label}</th><td>${format.money(cents)}</td></tr>`;
  return html`<section class="card" aria-labelledby="items-title"><h2 id="items-title">${says.items}</h2>
<ul class="items">${quote.items.map(entry)}</ul>
<table class="totals"><caption class="unseen">${says.caption}</caption>
<tbody>${row(says.subtotal, quote.subtotalCents + quote.markupCents)}${charges.map(({ label, cents }) => row(label, cents))}</tbody>
<tfoot>${row(totalWord(quote, words), quote.totalWithTipCents)}</tfoot></table>${estimate && html`<p class="item-notes">${estimate}</p>`}</section>`;
}

function choices({ customizations }: QuotedItem, { words }: Locale): Html | null {
  const options = chosenOptions(customizations);
  if (options.length === 0) return null;
  const choice = ({ customization, name, quantity }: (typeof options)[number]) =>
    html`<li>${words.store.terms.option({ customization, choice: name })}${quantity > 1 && html` × ${quantity}`}</li>`;
  return html`<ul class="chosen">${options.map(choice)}</ul>`;
}

/** The error next to the pressed button. */
function summarySection({ locale }: CheckoutFrame, faulty: readonly FormField[]): Html {
  const { contact } = locale.words.checkout;
  return html`<section class="faults" role="alert" aria-labelledby="summary-title"><h2 id="summary-title">${contact.check}</h2>
<ul>${faulty.map((name) => html`<li><a href="#${name}">${faultOfField(locale, name)}</a></li>`)}</ul></section>`;
}

function faultOfField({ words }: Locale, name: FormField): string {
  const { contact, tip, promoCode } = words.checkout;
  const faults = { name: contact.noName, email: contact.badEmail, phone: contact.badPhone, of_age: contact.noAge };
  return { ...faults, tip_amount: tip.badAmount, code: promoCode.malformed }[name];
}

/** The form posts to the page's own URL. Its first button, which Enter in a field presses, stores the input. */
function formSection(frame: CheckoutFrame, view: CheckoutView): Html {
  const { checkout, quote, links, faulty = [] } = view;
  const { words, format } = frame.locale;
  const says = words.checkout.finish;
  const total = format.money(quote.totalWithTipCents);
  const hasChanged = view.was.totalCents !== quote.totalWithTipCents;
  const isPaid = checkout.request.chargeUser && quote.totalWithTipCents > 0;
  const lacksCard = isPaid && checkout.card === undefined && view.methods.includes('card');
  const isDeclined = !lacksCard && view.cardFault !== undefined && view.methods.includes('card');
  const [terms, privacy] = [safeHttpUrl(links.termsUrl), safeHttpUrl(links.privacyUrl)];
  const link = (url: string | undefined, label: string) =>
    url !== undefined && html`<li><a href="${url}" rel="noreferrer" target="_blank">${label}</a></li>`;
  return html`<form method="post" action="${frame.ownPath}" novalidate data-placing="${says.placing}">
<input type="hidden" name="total" value="${quote.totalWithTipCents}"><input type="hidden" name="cart" value="${cartVersion(checkout.order)}">
<button type="submit" class="skip" name="action" value="update" tabindex="-1" aria-hidden="true">${words.checkout.card.next}</button>
<div>
${walletSection(frame, view)}${placeSection(frame, view)}
${contactSection(frame, view)}
${checkout.request.mode === 'delivery' && tipSection(frame, view)}
${codeSection(frame, view)}
${isPaid && cardSection(frame, view)}
</div>
<div class="summary">
${itemsSection(frame, view)}
<div class="card finish">
${(terms ?? privacy) && html`<p>${says.agree}</p><ul class="agreed">${link(terms, says.terms)}${link(privacy, says.privacy)}</ul>`}
${ageField(frame, view)}
${faulty.length > 0 && summarySection(frame, faulty)}
${(lacksCard || isDeclined) && html`<button type="submit" class="action main" name="action" value="card">${lacksCard ? says.addCard : words.checkout.card.other}</button>`}
${!lacksCard && html`<button type="submit" class="${isDeclined ? 'action' : 'action main'}" name="action" value="place" id="place">${hasChanged ? says.accept({ total }) : says.place({ total })}</button>`}
${links.cancelUrl !== undefined && html`<a class="action" href="${links.cancelUrl}" rel="noreferrer">${says.cancel}</a>`}
</div></div>
</form>`;
}

/**
 * The total, alongside which the script shows the button of a wallet once the browser has one, so that nothing moves.
 * The sheet shows the maximum charge.
 */
function walletSection({ locale }: CheckoutFrame, { wallet, quote }: CheckoutView): Html | undefined {
  if (!wallet || quote.totalWithTipCents === 0) return undefined;
  const { words, language, format } = locale;
  const { name, country } = quote.store;
  const label = isWeighedOrder(quote) ? words.checkout.amounts.atMost({ store: name }) : name;
  const currency = currencyOf(country).toLowerCase();
  const sheet = JSON.stringify({ ...wallet, language, country, currency, label, amountCents: holdCents(quote) });
  return html`<section class="card pair wallet" data-wallet="${sheet}"><p>${totalWord(quote, words)}<br><strong>${format.money(quote.totalWithTipCents)}</strong></p><div></div>
<input type="hidden" name="payment_token"><button type="submit" name="action" value="wallet" hidden></button></section>
`;
}

/** Asks whether the customer is old enough, where the cart has alcohol. The driver or the store sees an ID too. */
function ageField({ locale }: CheckoutFrame, { quote, typed, faulty = [] }: CheckoutView): Html | null {
  const age = minAgeOf({ quote, adjustments: [] });
  if (age === null) return null;
  const isFaulty = faulty.includes('of_age');
  return html`<div class="field"><label class="check" for="of_age"><input id="of_age" name="of_age" type="checkbox" value="yes" required${typed?.of_age === 'yes' && ' checked'}${isFaulty && html` aria-invalid="true" aria-describedby="of_age-fault"`}> ${locale.words.checkout.place.ofAge({ age })}</label>
${isFaulty && html`<p class="fault" id="of_age-fault">${faultOfField(locale, 'of_age')}</p>`}</div>`;
}

const INPUTS: Readonly<Record<EnteredField, { type: string; autocomplete: string; maxLength: number }>> = {
  name: { type: 'text', autocomplete: 'name', maxLength: 200 },
  email: { type: 'email', autocomplete: 'email', maxLength: 254 },
  phone: { type: 'tel', autocomplete: 'tel', maxLength: 40 },
};

function contactSection(
  { locale }: CheckoutFrame,
  { checkout, typed, signIn, faulty = [] }: CheckoutView,
): Html | null {
  const says = locale.words.checkout.contact;
  const { request } = checkout;
  const { name: given, email, phone, phoneExtension } = request.customer;
  const values = { name: given, email, phone: phone === null ? '' : phoneInWords(phone, phoneExtension) };
  const { customer } = signIn ?? {};
  const known = customer && {
    name: nameOf(customer),
    email: customer.email,
    phone: customer.phone && phoneInWords(customer.phone),
  };
  const names = fieldsToEnter(request);
  if (names.length === 0) return null;
  const hints: Partial<Record<EnteredField, string>> = { email: says.emailHint, phone: says.phoneHint };
  const field = (name: EnteredField) => {
    const { type, autocomplete, maxLength } = INPUTS[name];
    const fault = faulty.includes(name) && faultOfField(locale, name);
    const value = typed?.[name] ?? (values[name] || known?.[name] || '');
    return formField(
      { id: name, label: says[name], hint: hints[name], fault },
      (aria) =>
        html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}" required value="${value}"${aria}>`,
    );
  };
  return html`<section class="card" aria-labelledby="contact-title"><h2 id="contact-title">${says.title}</h2>
${names.map(field)}
<div class="field scripted"><label class="check" for="keep"><input id="keep" type="checkbox"> ${says.keep}</label></div></section>`;
}

/** Where the focus is after a tip or a card: a browser focuses the element that the address names. */
export const CHOSEN_TIP = 'chosen-tip';
export const CARD_BUTTON = 'card';

function tipSection({ locale }: CheckoutFrame, { quote, checkout, typed, faulty = [] }: CheckoutView): Html {
  const { words, format } = locale;
  const says = words.checkout.tip;
  const { tipCents } = checkout.request;
  const offered = [{ percent: 0, cents: 0 }, ...offeredTips(quote.subtotalCents + quote.markupCents)];
  // If two offers are the same amount, the first one is selected.
  const chosen = offered.find(({ cents }) => cents === tipCents);
  const offer = (tip: (typeof offered)[number]) =>
    html`<li><button type="submit" class="action"${tip === chosen && html` id="${CHOSEN_TIP}"`} name="action" value="tip-${tip.cents}" aria-pressed="${tip === chosen ? 'true' : 'false'}">${tip.percent === 0 ? says.none : html`${format.percent(tip.percent)} <small>${format.money(tip.cents)}</small>`}</button></li>`;
  const isFaulty = faulty.includes('tip_amount');
  const own = chosen === undefined ? (tipCents / 100).toFixed(2) : '';
  return html`<section class="card" id="tip" aria-labelledby="tip-title"><h2 id="tip-title">${says.title}</h2>
<ul class="tips">${offered.map(offer)}</ul>
${formField(
  { id: 'tip_amount', label: says.amount, fault: isFaulty && says.badAmount },
  (aria) =>
    html`<div class="pair"><input id="tip_amount" name="tip_amount" inputmode="decimal" autocomplete="off" maxlength="10" value="${isFaulty ? typed?.tip_amount : own}"${aria}>
<button type="submit" class="action" name="action" value="tip-amount">${says.set}</button></div>`,
)}
</section>`;
}

/** Promotion codes: the applied ones, the reasons for the others, and a field for one more. */
function codeSection({ locale }: CheckoutFrame, { quote, checkout, typed, faulty = [] }: CheckoutView): Html {
  const { words, format } = locale;
  const says = words.checkout.promoCode;
  const isKnown = isUserKnown(checkout.request.customer);
  const { discounts = [], rejectedCodes = [] } = quote;
  const line = (code: string, text: string, isRejected: boolean) =>
    html`<li><p${isRejected && html` class="fault"`}>${text}</p> <button type="submit" class="action" name="action" value="remove-${code}">${says.remove({ code })}</button></li>`;
  const codes = [
    ...discounts.flatMap(({ code }) => (code === undefined ? [] : line(code, says.applied({ code }), false))),
    ...rejectedCodes.map((rejected) => line(rejected.code, rejectionInWords(says, rejected, isKnown, format), true)),
  ];
  const isFaulty = faulty.includes('code');
  const field = formField(
    { id: 'code', label: says.label, fault: isFaulty && says.malformed },
    (aria) =>
      html`<div class="pair"><input id="code" name="code" autocomplete="off" autocapitalize="characters" maxlength="64" value="${isFaulty ? typed?.code : ''}"${aria}>
<button type="submit" class="action" name="action" value="code">${says.add}</button></div>`,
  );
  return html`<details class="card codes" id="codes"${(isFaulty || codes.length > 0) && html` open=""`}><summary>${says.open}</summary>
${codes.length > 0 && html`<ul>${codes}</ul>`}
${field}</details>`;
}

/** The chosen card or cash, and the ways to choose another. If cash is the only way, there's nothing to choose. */
function cardSection({ locale }: CheckoutFrame, view: CheckoutView): Html {
  const { methods, cardFault, signIn, faulty = [] } = view;
  const { card, request, saved } = view.checkout;
  const says = locale.words.checkout.card;
  const cash = request.mode === 'pickup' ? says.cashAtPickup : says.cash;
  const isCash = !methods.includes('card') || card?.brand === 'cash';
  const chosen = isCash ? cash : card && shownCard(card, says);
  const cards = methods.includes('card') ? saved.filter(({ brand }) => brand !== 'cash') : [];
  const choice = (one: PaymentMethod) =>
    html`<li><label><input type="radio" name="card" value="${one.paymentMethodId}"${one.paymentMethodId === card?.paymentMethodId && html` checked=""`}> ${shownCard(one, says)}</label></li>`;
  const focus = cardFault !== undefined && faulty.length === 0 && html` aria-describedby="card-fault" autofocus=""`;
  const enter = html`<button type="submit" class="action" id="${CARD_BUTTON}" name="action" value="card"${focus}>${card && !isCash ? says.other : says.add}</button>`;
  return html`<section class="card" aria-labelledby="card-title"><h2 id="card-title">${says.title}</h2>
${chosen !== undefined && (isCash || cards.length === 0) && html`<p class="shown-card">${chosen}</p>`}
${cards.length > 0 && html`<fieldset class="cards"><legend class="unseen">${says.saved}</legend><ul>${cards.map(choice)}</ul></fieldset>`}
${cardFault !== undefined && html`<p class="fault" id="card-fault" role="alert">${cardFault}</p>`}
${methods.includes('cash') && !isCash && html`<button type="submit" class="action" name="action" value="cash">${cash}</button>`}
${methods.includes('card') && enter}
${signIn && !signIn.customer && methods.includes('card') && html`<a class="action" href="${signIn.path}">${says.signIn}</a>`}</section>`;
}
