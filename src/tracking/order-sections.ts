import { type Html, html } from '../lib/html.ts';
import { formatPrice } from '../lib/money.ts';
import { phoneInWords } from '../lib/phone.ts';
import { firstName } from '../lib/text/normalise-text.ts';
import { type ReceiptItem, type ReceiptLine, type ReceiptOption, receiptOfOrder } from '../messages/receipt.ts';
import { rangeInWords } from '../messages/when.ts';
import type { Order } from '../orders/order.ts';
import { zoneOf } from './clock-words.ts';
import { destinationWords, maskedPhone, storeAddressWords } from './shown-facts.ts';
import { callLink } from './status-sections.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Where it comes from and where it goes, for when, and for whom. */
export function placesSection(order: Order, now: Temporal.Instant): Html {
  const { request, quote } = order;
  const { store, scheduled } = quote;
  const { customer } = request;
  const isDelivery = request.mode === 'delivery';
  const name = firstName(customer.name);
  const destination = destinationWords(customer);
  const fact = (label: string, value: string) => value !== '' && html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<section id="places" class="card" aria-labelledby="places-title">
<h2 id="places-title">${isDelivery ? 'Delivery' : 'Pickup'}</h2>
<div class="store"><div><h3>${store.name}</h3>
<p>${storeAddressWords(store.address)}</p>${store.phoneNumber ? html`<p>${phoneInWords(store.phoneNumber)}</p>` : null}</div>
${store.phoneNumber ? callLink('call-store', store.phoneNumber, `Call ${store.name}`) : null}</div>
<dl class="facts">
${scheduled && fact('Scheduled for', rangeInWords(scheduled, zoneOf(order), now))}
${isDelivery ? fact('Delivering to', destination) : null}
${fact('For', name)}
${customer.phone !== null && !request.disableSms ? fact('Text updates to', maskedPhone(customer.phone)) : null}
</dl>
</section>`;
}

/** The items with their options, and the amounts: the receipt of the e-mail. */
export function receiptSection({ order, refunds }: Pick<TrackedOrder, 'order' | 'refunds'>): Html {
  const receipt = receiptOfOrder(order, refunds);
  const row = ({ label, cents }: ReceiptLine) =>
    html`<tr><th scope="row">${label}</th><td>${formatPrice(cents)}</td></tr>`;
  return html`<section id="receipt" class="card" aria-labelledby="receipt-title">
<h2 id="receipt-title">Your order</h2>
<ul class="items">${receipt.items.map(itemEntry)}</ul>
<table class="totals"><caption class="unseen">What it costs</caption>
<tbody>${[{ label: 'Subtotal', cents: receipt.subtotalCents }, ...receipt.charges].map(row)}</tbody>
<tfoot>${row({ label: 'Total', cents: receipt.totalCents })}${receipt.refunds.map(refundRow)}</tfoot></table>
</section>`;
}

function refundRow({ label, cents }: ReceiptLine): Html {
  return html`<tr class="refund"><th scope="row">${label}</th><td>${formatPrice(cents)}</td></tr>`;
}

function itemEntry({ name, quantity, totalCents, options, notes, change }: ReceiptItem): Html {
  return html`<li><div class="line"><span><span class="quantity">${quantity}<span aria-hidden="true"> ×</span><span class="unseen"> times</span></span> ${name}</span><span class="price">${formatPrice(totalCents)}</span></div>
${choices(options)}${change !== undefined && html`<p class="item-change">${change}</p>`}${notes !== '' && html`<p class="item-notes">“${notes}”</p>`}</li>`;
}

function choices(options: readonly ReceiptOption[]): Html | null {
  return options.length === 0 ? null : html`<ul class="choices">${options.map(choice)}</ul>`;
}

function choice({ customization, name, quantity, extraCents, options }: ReceiptOption): Html {
  const times = quantity !== 1 && html` × ${quantity}`;
  const price = extraCents !== 0 && html` <span class="price">(${formatPrice(extraCents)})</span>`;
  return html`<li>${customization}: ${name}${times}${price}${choices(options)}</li>`;
}
