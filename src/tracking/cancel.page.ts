import { type Html, html } from '../lib/html.ts';
import { formatPrice } from '../lib/money.ts';
import { helpLinks } from './care-section.ts';
import { headlineOf } from './headline.ts';
import { type Frame, siteDocument } from './site-document.page.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Asks the customer once more. The form goes to the page's own address; it works without scripts. */
export function askCancelPage(frame: Frame, { order }: TrackedOrder): string {
  const { orderId, orderNumber, quote } = order;
  const backCents = order.chargedCents - order.refundedCents;
  const back = backCents > 0 && ` You get ${formatPrice(backCents)} back to your card.`;
  const detail = html`This ends your order${orderNumber !== null && ` ${orderNumber}`} from ${quote.store.name}.${back} It cannot be undone.`;
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">Cancel this order?</h1>
<p class="detail">${detail}</p>
<form method="post" action="${frame.pagePath}/cancel">
<input type="hidden" name="tracking_id" value="${orderId}">
<button id="confirm-cancel" class="action danger">Cancel order</button>
</form>
${backLink(frame, orderId, 'Keep order')}
</section></main>`;
  return siteDocument(frame, 'Cancel this order?', main);
}

/** The order cannot be canceled on the page: it is too far, it has ended, or its account does not let customers cancel. */
export function cannotCancelPage(frame: Frame, { order, care }: TrackedOrder, now: Temporal.Instant): string {
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">This order cannot be canceled here</h1>
<p class="detail">${headlineOf(order, now).title}.</p>
${backLink(frame, order.orderId, 'Back to the order')}
${helpLinks(care)}
</section></main>`;
  return siteDocument(frame, 'This order cannot be canceled here', main);
}

function backLink({ pagePath }: Frame, orderId: string, words: string): Html {
  return html`<a class="action" href="${pagePath}?tracking_id=${orderId}">${words}</a>`;
}
