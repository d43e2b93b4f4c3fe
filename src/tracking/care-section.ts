import type { CustomerCare } from '../accounts/customer-care.ts';
import { reorderUrlOf } from '../accounts/reorder-url.ts';
import { trackingQuery } from '../accounts/tracking-site.ts';
import { type Html, html, safeHttpUrl } from '../lib/html.ts';
import { phoneInWords } from '../lib/phone.ts';
import { hasEnded, type Order } from '../orders/order.ts';
import { isCancelable, type TrackedOrder } from './tracked-order.ts';

/** What the customer can do, as far as the place of the driver does not say it. Paths are relative to the page's own. */
export function careSection(tracked: TrackedOrder, key: string | null): Html {
  const { order, care } = tracked;
  const isSaidAbove = hasEnded(order) && order.request.mode === 'delivery';
  const links = isSaidAbove ? null : nextLinks(tracked, key);
  const help = helpLinks(care);
  return html`<section id="care" class="card care" aria-labelledby="care-title"${!links && !help && html` hidden`}>
<h2 id="care-title" class="unseen">What you can do</h2>
${links}
${help}
</section>`;
}

/** Order again, cancel, read the receipt: what is possible now. Without the customer's key, the receipt alone. */
export function nextLinks(tracked: TrackedOrder, key: string | null): Html {
  const { order, care } = tracked;
  const query = trackingQuery(order.orderId, key);
  const again = key !== null && reorderLinkOf(order, care);
  return html`${again && html`<a id="reorder" class="action main" href="${again}" rel="noreferrer">Order again</a>`}
${key !== null && isCancelable(tracked) && html`<a id="cancel-order" class="action" href="tracking/cancel?${query}">Cancel order</a>`}
<a id="receipt-link" class="action" href="tracking/receipt?${query}">Receipt</a>`;
}

/** The account's link to order the same again, once the order has ended. */
function reorderLinkOf(order: Order, { reorderUrl }: CustomerCare): string | undefined {
  if (reorderUrl === null || !hasEnded(order)) return undefined;
  const { orderId, storeId, request } = order;
  const ids = { order_id: orderId, store_id: storeId, customer_order_id: request.customerOrderId };
  return safeHttpUrl(reorderUrlOf(reorderUrl, ids));
}

/** Where customers get help, as the account has set it; null where it has set nothing. */
export function helpLinks({ helpUrl, helpEmail, helpPhone }: CustomerCare): Html | null {
  const url = safeHttpUrl(helpUrl);
  const ways = [
    url && html`<a href="${url}" rel="noreferrer">Help page</a>`,
    helpEmail && html`<a href="mailto:${helpEmail}">${helpEmail}</a>`,
    helpPhone && html`<a href="tel:${helpPhone}">${phoneInWords(Number(helpPhone.slice(1)))}</a>`,
  ].filter((way) => way);
  if (ways.length === 0) return null;
  return html`<div class="help"><h3>Need help?</h3><ul>${ways.map((way) => html`<li>${way}</li>`)}</ul></div>`;
}
