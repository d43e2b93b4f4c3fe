import { type Html, html } from '../lib/html.ts';
import { formatPrice } from '../lib/money.ts';
import { helpLinks } from './care-section.ts';
import { headlineOf } from './headline.ts';
import { type Frame, siteDocument } from './site-document.page.ts';
import { isCancelable, type TrackedOrder } from './tracked-order.ts';

/** Asks the customer once more. The form goes to the page's own address; it works without scripts. */
export function askCancelPage(frame: Frame, { order }: TrackedOrder, key: string): string {
  const { orderNumber, quote } = order;
  const backCents = order.chargedCents - order.refundedCents;
  const back = backCents > 0 && ` You get ${formatPrice(backCents)} back to your card.`;
  const detail = html`This ends your order${orderNumber !== null && ` ${orderNumber}`} from ${quote.store.name}.${back} It cannot be undone.`;
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">Cancel this order?</h1>
<p class="detail">${detail}</p>
<form method="post" action="${frame.pagePath}/cancel">
<input type="hidden" name="tracking_id" value="${order.orderId}">
<input type="hidden" name="key" value="${key}">
<button id="confirm-cancel" class="action danger">Cancel order</button>
</form>
${backLink(frame, 'Keep order')}
</section></main>`;
  return siteDocument(frame, 'Cancel this order?', main);
}

/**
 * The order cannot be canceled on the page: it is too far along, it has ended, its account does not let customers cancel, or
 * the link has no valid key.
 */
export function cannotCancelPage(frame: Frame, tracked: TrackedOrder, now: Temporal.Instant): string {
  const { order, care } = tracked;
  const detail = isCancelable(tracked)
    ? 'To cancel it, open the link in your confirmation e-mail or text message.'
    : `${headlineOf(order, now).title}.`;
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">This order cannot be canceled here</h1>
<p class="detail">${detail}</p>
<h2 class="unseen">What you can do</h2>
${backLink(frame, 'Back to the order')}
${helpLinks(care)}
</section></main>`;
  return siteDocument(frame, 'This order cannot be canceled here', main);
}

function backLink({ pagePath, linkQuery }: Frame, words: string): Html {
  return html`<a class="action" href="${pagePath}?${linkQuery}">${words}</a>`;
}
