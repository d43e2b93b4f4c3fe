import { html } from '../lib/html.ts';
import { epochSeconds } from '../lib/time.ts';
import { clockWords, zoneOf } from './clock-words.ts';
import { receiptSection } from './order-sections.ts';
import { storeAddressWords } from './shown-facts.ts';
import { type Frame, siteDocument } from './site-document.page.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** The receipt of a placed order, to print or keep: the amounts of the receipt in the mail, and nothing of its customer. */
export function receiptPage(frame: Frame, tracked: TrackedOrder, now: Temporal.Instant): string {
  const { order } = tracked;
  const { store } = order.quote;
  const placed = order.placedAt && clockWords(epochSeconds(order.placedAt), now, zoneOf(order));
  const number = order.orderNumber === null ? '' : ` ${order.orderNumber}`;
  const main = html`<main id="main" tabindex="-1" class="paper">
<section class="card now" aria-labelledby="headline"><h1 id="headline">Receipt</h1>
<p class="detail">Order${number} from ${store.name}</p>
<p class="detail">${storeAddressWords(store.address)}</p>
${placed && html`<p class="detail">Placed ${placed}</p>`}
${order.mode === 'sandbox' && html`<p class="test">Test order: nothing is made or brought.</p>`}
</section>
${receiptSection(tracked)}
<p class="back"><a href="${frame.pagePath}?${frame.linkQuery}">Back to the order</a></p>
</main>
<footer><p>Order <code>${order.orderId}</code></p></footer>`;
  return siteDocument(frame, `Receipt${number}`, main);
}
