import { type Html, html, safeHttpUrl } from 'doorstep/html';
import { firstName } from 'doorstep/search-engine/text';
import type { CustomerCare } from '../../access/accounts/branding.ts';
import { reorderUrlOf } from '../../access/accounts/branding-fields.ts';
import { mapLink } from '../../fulfillment/deliveries/map-attributes.ts';
import { afterRefunds } from '../../notify/messages/mail-content.ts';
import {
  handoverPayment,
  type ReceiptItem,
  type ReceiptLine,
  type ReceiptOption,
  receiptOfOrder,
  totalLabel,
} from '../../ordering/money/receipt.ts';
import { allowsLaterTip } from '../../ordering/money/tip.ts';
import { handoverLines, handoverOf } from '../../ordering/order/drop-off.ts';
import { hasEnded, type Order } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { allowsReorder, isUnderWay, isUpdatable, tipOf } from '../../ordering/order/order-view.ts';
import { dialUrl, phoneInWords } from '../../platform/lib/phone.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { destinationWords, maskedPhone, storeAddressWords } from './page-words.ts';
import { allowsReport, isCancelable, type TrackedOrder, type Visitor, visitQuery } from './tracked-order.ts';

/** Sections of the page about the order itself: places, receipt and the customer's actions. */

/** Renders the store, the destination, the time, and the recipient. */
export function placesSection(order: Order, { key, lang, maps }: Visitor, locale: Locale, now: Temporal.Instant): Html {
  const { words, format } = locale;
  const { places } = words.customer;
  const { request, quote } = order;
  const { store, scheduled } = quote;
  const { customer } = request;
  const isDelivery = request.mode === 'delivery';
  const name = firstName(customer.name);
  const destination = destinationWords(customer);
  // Notes may hold a gate's code, and links are passed on.
  const instructions = handoverLines({ ...handoverOf(order), notes: '' }, words.customer.dropOff).join(' · ');
  const fact = (label: string, value: string) => value !== '' && html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<section id="places" class="card" aria-labelledby="places-title">
<h2 id="places-title">${isDelivery ? places.delivery : places.pickup}</h2>
<div class="contact"><div><h3>${store.name}</h3>
<p>${storeAddressWords(store.address)}</p>${store.phoneNumber ? html`<p>${phoneInWords(store.phoneNumber, store.phoneExtension)}</p>` : null}</div>
${store.phoneNumber ? callLink('call-store', store.phoneNumber, store.name, locale) : null}</div>
${!isDelivery && !hasEnded(order) && html`<p class="directions"><a id="directions" class="action" ${mapLink(maps, store)} aria-label="${places.directionsTo({ store: store.name })}">${places.directions}</a></p>`}
<dl class="facts">
${scheduled && fact(places.scheduledFor, format.slot(scheduled, orderZone(order), now))}
${isDelivery ? fact(places.deliveringTo, destination) : null}
${key !== null && fact(isDelivery ? words.checkout.place.dropoffNotes : words.checkout.place.pickupNotes, instructions)}
${fact(places.name, name)}
${customer.phone !== null && !request.disableSms ? fact(places.textingTo, maskedPhone(customer.phone)) : null}
</dl>
${scheduled && isUnderWay(order) && calendarLink(order, lang, locale)}
</section>`;
}

/** Links to the calendar file without the customer's key, because calendars are shared. */
function calendarLink({ orderId }: Order, lang: Visitor['lang'], { words }: Locale): Html {
  const query = visitQuery(orderId, { key: null, lang });
  return html`<p class="link"><a id="add-to-calendar" href="tracking/calendar.ics?${query}">${words.customer.calendar.add}</a></p>`;
}

/** Renders the items with their options and amounts, as in the emailed receipt. */
export function receiptSection({ order, refunds }: Pick<TrackedOrder, 'order' | 'refunds'>, locale: Locale): Html {
  const receipt = receiptOfOrder(order, refunds, locale);
  const labels = locale.words.customer.receipt;
  const handover = handoverPayment(order, locale);
  const row = ({ label, cents }: ReceiptLine, name = '') =>
    html`<tr${name !== '' && html` class="${name}"`}><th scope="row">${label}</th><td>${locale.format.money(cents)}</td></tr>`;
  return html`<section id="receipt" class="card" aria-labelledby="receipt-title">
<h2 id="receipt-title">${labels.yourOrder}</h2>
<ul class="items">${receipt.items.map((item) => itemEntry(item, locale))}</ul>
<table class="totals"><caption class="unseen">${labels.amounts}</caption>
<tbody>${[{ label: labels.subtotal, cents: receipt.subtotalCents }, ...receipt.charges].map((line) => row(line))}</tbody>
<tfoot>${row({ label: totalLabel(receipt, locale), cents: receipt.totalCents })}${receipt.refunds.map((line) => row(line, 'refund'))}${receipt.refunds.length > 0 && row({ label: labels.totalAfterRefunds, cents: afterRefunds(receipt) })}${handover && row(handover)}</tfoot></table>${receipt.weightNote && html`<p class="detail">${receipt.weightNote}</p>`}
</section>`;
}

function itemEntry(item: ReceiptItem, locale: Locale): Html {
  const { name, quantity, weight, totalCents, options, notes, discounts, change, isWeighed } = item;
  return html`<li><div class="line"><span><span class="quantity">${weight ?? html`${quantity} ×`}</span> ${name}</span><span class="price">${locale.format.money(totalCents)}</span></div>
${choices(options, locale)}${discounts.map((line) => html`<p class="item-notes">${line}</p>`)}${change !== undefined && html`<p class="${isWeighed ? 'item-notes' : 'item-change'}">${change}</p>`}${notes !== '' && html`<p class="item-notes">${locale.words.customer.receipt.note({ note: notes })}</p>`}</li>`;
}

function choices(options: readonly ReceiptOption[], locale: Locale): Html | null {
  return options.length === 0 ? null : html`<ul class="chosen">${options.map((option) => choice(option, locale))}</ul>`;
}

function choice({ customization, name, quantity, extraCents, options }: ReceiptOption, locale: Locale): Html {
  const times = quantity !== 1 && html` × ${quantity}`;
  const price = extraCents !== 0 && html` <span class="price">(${locale.format.money(extraCents)})</span>`;
  return html`<li>${locale.words.store.terms.option({ customization, choice: name })}${times}${price}${choices(options, locale)}</li>`;
}

/** Renders a link that dials and looks like a button; `phone` is digits with the country code. */
export function callLink(id: string, phone: number, name: string, { words }: Locale): Html {
  const { call, callNamed } = words.customer.driver;
  return html`<a id="${id}" class="call" href="${dialUrl(phone)}" aria-label="${callNamed({ name, phone: phoneInWords(phone) })}"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2c.3-.3.7-.4 1-.2 1.2.4 2.4.6 3.6.6.6 0 1 .4 1 1V20c0 .6-.4 1-1 1A17 17 0 0 1 3 4c0-.6.4-1 1-1h3.5c.6 0 1 .4 1 1 0 1.2.2 2.4.6 3.6.1.3 0 .7-.2 1z"/></svg>${call}</a>`;
}

/** Renders the customer's actions, except those in the driver section. Paths are relative to the page's own. */
export function careSection(tracked: TrackedOrder, visitor: Visitor, locale: Locale, now: Temporal.Instant): Html {
  const { order, care } = tracked;
  const isSaidAbove = hasEnded(order) && order.request.mode === 'delivery';
  const links = isSaidAbove ? null : nextLinks(tracked, visitor, locale, now);
  const help = helpLinks(care, locale);
  const { code, codeHint } = locale.words.customer.dropOff;
  const digits = visitor.key !== null && !hasEnded(order) && order.handoverCode;
  const report = visitor.key !== null && allowsReport(tracked) && reportLink(tracked, visitor, locale);
  return html`<section id="care" class="care" aria-labelledby="care-title"${!links && !help && !report && !digits && html` hidden`}>
<h2 id="care-title" class="unseen">${locale.words.customer.actions.title}</h2>
${digits && html`<p id="handover-code" class="detail"><b>${code}: ${digits}</b> ${codeHint}</p>`}
${links}
${help}
${report}
</section>`;
}

function reportLink({ order }: TrackedOrder, visitor: Visitor, { words }: Locale): Html {
  const query = visitQuery(order.orderId, visitor);
  return html`<p class="link"><a id="report-problem" href="tracking/problem?${query}">${words.customer.problem.link}</a></p>`;
}

/** Lists the possible actions (tip, order again, cancel, receipt). Without the customer's key, only the receipt. */
export function nextLinks(
  tracked: TrackedOrder,
  visitor: Visitor,
  { words, format }: Locale,
  now: Temporal.Instant,
): Html {
  const { actions, tip } = words.customer;
  const { order, care } = tracked;
  const query = visitQuery(order.orderId, visitor);
  const again =
    visitor.key !== null && (reorderLinkOf(order, care) ?? (allowsReorder(order) && `checkout/again?${query}`));
  const canTip = visitor.key !== null && allowsLaterTip(order, now);
  const isTipped = tipOf(order) > order.quote.tipCents;
  const added = visitor.key !== null && isTipped && tip.thanks({ amount: format.money(tipOf(order)) });
  return html`${added && html`<p id="tipped" class="detail">${added}</p>`}
${again && html`<a id="reorder" class="action main" href="${again}" rel="noreferrer">${actions.orderAgain}</a>`}
${canTip && html`<a id="tip" class="action" href="tracking/tip?${query}">${words.checkout.tip.title}</a>`}
${visitor.key !== null && isUpdatable(order) && html`<a id="change-notes" class="action" href="tracking/notes?${query}">${words.customer.notes.link}</a>`}
${visitor.key !== null && isCancelable(tracked) && html`<a id="cancel-order" class="action" href="tracking/cancel?${query}">${actions.cancel}</a>`}
<a id="receipt-link" class="action" href="tracking/receipt?${query}">${actions.receipt}</a>`;
}

/** Returns the account's link for ordering the same again, once the order has ended. */
function reorderLinkOf(order: Order, { reorderUrl }: CustomerCare): string | undefined {
  if (reorderUrl === null || !hasEnded(order)) return undefined;
  const { orderId, storeId, request } = order;
  const ids = { order_id: orderId, store_id: storeId, customer_order_id: request.customerOrderId };
  return safeHttpUrl(reorderUrlOf(reorderUrl, ids));
}

/** Returns the account's help links for customers; empty if it has set none. */
export function helpWays({ helpUrl, helpEmail, helpPhone }: CustomerCare, { words }: Locale): Html[] {
  const url = safeHttpUrl(helpUrl);
  return [
    url && html`<a href="${url}" rel="noreferrer">${words.customer.page.getHelp}</a>`,
    helpEmail && html`<a href="mailto:${helpEmail}">${helpEmail}</a>`,
    helpPhone && html`<a href="${dialUrl(helpPhone)}">${phoneInWords(helpPhone)}</a>`,
  ].filter((way) => typeof way === 'object' && way !== null);
}

/** Returns a box of the account's help links; null if it has set none. */
export function helpLinks(care: CustomerCare, locale: Locale): Html | null {
  const ways = helpWays(care, locale);
  if (ways.length === 0) return null;
  const { needHelp } = locale.words.customer.page;
  return html`<div class="help"><h2>${needHelp}</h2><ul>${ways.map((way) => html`<li>${way}</li>`)}</ul></div>`;
}
