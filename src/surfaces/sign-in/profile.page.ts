import { type Html, html } from 'doorstep/html';
import { type Customer, nameOf } from '../../access/customers/customer.ts';
import type { Order } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { orderTotalCents } from '../../ordering/order/order-view.ts';
import { CARD_BRAND_NAMES, type PaymentMethod } from '../../ordering/payments/payment-method.ts';
import type { SavedAddress } from '../../supply/addresses/saved-addresses.db.ts';
import { button, contactForm, contactInWords, document, form, type SignInPage } from './sign-in.page.ts';

export type Profile = {
  customer: Customer;
  addresses: readonly SavedAddress[];
  cards: readonly PaymentMethod[];
  orders: readonly Order[];
  linkOf(order: Order): string;
  now: Temporal.Instant;
};

/** The data that the shop keeps for a signed-in customer, with buttons to remove it. */
export function profilePage(page: SignInPage, profile: Profile): string {
  const { frame, token } = page;
  const { customer, addresses, cards, orders, linkOf, now } = profile;
  const { words, format } = frame.locale;
  const { signIn } = words;
  const { card: says } = words.checkout;
  const section = (title: string, rows: readonly Html[]) => rows.length > 0 && html`<h2>${title}</h2><ul>${rows}</ul>`;
  const removable = (name: string, step: string, field: string, value: string) =>
    html`<li><p>${name}</p>
${form(token, step, html`<input type="hidden" name="${field}" value="${value}"><button type="submit" class="action" aria-label="${signIn.removeNamed({ name })}">${signIn.remove}</button>`)}</li>`;
  const contacts = [customer.email, customer.phone].filter((contact) => contact !== null).map(contactInWords);
  const brandOf = ({ brand }: PaymentMethod) => CARD_BRAND_NAMES[brand] ?? says.anyBrand;
  const orderRow = (order: Order) => {
    const moment = format.moment(order.placedAt ?? order.createdAt, orderZone(order), now);
    const row = { store: order.quote.store.name, moment, total: format.money(orderTotalCents(order)) };
    return html`<li><a class="action" href="${linkOf(order)}">${signIn.order(row)}</a></li>`;
  };
  const addressRows = addresses.map(({ address }) => removable(address, 'remove_address', 'address', address));
  const cardRows = cards
    .filter(({ brand }) => brand !== 'cash')
    .map((card) =>
      removable(says.shown({ brand: brandOf(card), last4: card.last4 }), 'remove_card', 'card', card.paymentMethodId),
    );
  const isNew = addressRows.length + cardRows.length === 0;
  return document(
    frame,
    signIn.account,
    html`<p class="detail">${[nameOf(customer), ...contacts].filter((line) => line !== '').join(' · ')}</p>
${isNew && html`<p class="detail">${signIn.none}</p>`}
${section(signIn.addresses, addressRows)}
${section(signIn.cards, cardRows)}
${section(signIn.orders, orders.map(orderRow))}
${contacts.length < 2 && html`<details><summary>${signIn.join}</summary>${contactForm(page)}</details>`}
<p><a class="action" href="/connections">${signIn.connections}</a></p>
${form(token, 'sign_out', button(signIn.signOut))}`,
  );
}
