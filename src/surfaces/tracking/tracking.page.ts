import { refundOnCancelCents } from '../../ordering/orders/order-view.ts';
import { type Html, html, htmlDocument } from '../../platform/lib/html.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Brand } from './brand.ts';
import { headlineOf } from './headline.ts';
import type { LiveOrder } from './live-order.ts';
import type { MapFiles } from './map-view.ts';
import { helpLinks, receiptSection } from './order-sections.ts';
import { clockWords, storeAddressWords, zoneOf } from './page-words.ts';
import { isCancelable, type TrackedOrder } from './tracked-order.ts';

/** The pages of the tracking site: an order, its receipt, its cancelation, and the pages without an order. */

/** The frame of a page: its brand, and the paths of its files. The paths are the service's own: letters, digits, `/`, `.`, `-`. */
export type Frame = {
  brand: Brand;
  /** The path of the page that follows the order. */
  pagePath: string;
  /** The query of the visitor's link, with the customer's key where the visitor has it; empty without an order. */
  linkQuery: string;
  iconPath: string;
  scriptPath: string;
  stylePath: string;
  /** The styles of the brand's color; undefined for a brand without one. */
  colorPath: string | undefined;
  eventsPath: string;
  /** The files of the map with streets; undefined where the operator gives no tiles: the page then has the sketch. */
  mapFiles: MapFiles | undefined;
};

/** Without scripts a page that may still change looks again this often. */
const REFRESH_SECONDS = 30;

/** A whole page of the site. A page that may change has the script, or loads itself again. */
function siteDocument({ brand, ...paths }: Frame, title: string, main: Html, mayChange = false): string {
  const logo =
    brand.logoUrl && html`<img src="${brand.logoUrl}" alt="" height="32" width="160" referrerpolicy="no-referrer">`;
  return htmlDocument({
    title: `${title} · ${brand.name}`,
    head: html`<meta name="description" content="Where your order is, and when it arrives.">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${paths.iconPath}">
<link rel="stylesheet" href="${paths.stylePath}">
${paths.colorPath && html`<link rel="stylesheet" href="${paths.colorPath}">`}
${
  mayChange &&
  html`<script type="module" src="${paths.scriptPath}"></script>
<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>`
}`,
    body: html`<a class="skip" href="#main">Skip to the order</a>
<header><span class="brand">${brand.name}</span>${logo}</header>
${main}`,
  });
}

/** The page of a placed order, complete without any script. For pickup the store's address stands before the steps. */
export function trackingPage(
  frame: Frame,
  orderId: string,
  order: LiveOrder,
  isTest: boolean,
  now: Temporal.Instant,
): string {
  const { parts } = order;
  const main = html`<main id="main" tabindex="-1"${liveAttributes(frame, order, now)}>
<p id="announcement" class="unseen" role="status"></p>
<div class="lead">
${isTest && html`<p class="test">Test order: nothing is made or brought.</p>`}
${parts.now}
${!order.isPickup && stageOf(order)}
${order.isPickup ? parts.places : parts.steps}
</div>
<div class="rest">
${order.isPickup ? parts.steps : parts.places}
${parts.care}
${parts.receipt}
</div>
</main>
<footer><p id="live-state" data-state="still"></p><p>Order <code>${orderId}</code></p></footer>`;
  return siteDocument(frame, order.title, main, !order.isSettled);
}

/** The place of the driver of a delivery: its height stays as drivers come and go, so that nothing below moves. */
function stageOf({ parts, map }: LiveOrder): Html {
  return html`<div class="card stage">
<section id="driver-location" class="where" aria-labelledby="where-title"${!map && html` hidden`}>
<h2 id="where-title" class="unseen">Where your driver is</h2>
<div id="map"></div>
${parts.where}
</section>
${parts.driver}
</div>`;
}

/** An order that its customer has not placed, or not paid, yet. It becomes the order's page by itself. */
export function unplacedPage(frame: Frame, order: LiveOrder, now: Temporal.Instant): string {
  const main = html`<main id="main" tabindex="-1" data-unplaced${liveAttributes(frame, order, now)}>
<section class="card now waiting"><h1>Not placed yet</h1>
<p class="detail">This order has been put together, but not placed. As soon as it is, you can follow it here.</p>
</section></main>`;
  return siteDocument(frame, 'Not placed yet', main, true);
}

/** There is no such order, or not at this address. */
export function missingPage(frame: Frame): string {
  const main = html`<main id="main" tabindex="-1">
<section class="card now"><h1>We cannot find this order</h1>
<p class="detail">There is no order at this address.</p>
<ul class="hints"><li>Is the link whole? Mail and chat programs sometimes cut long ones: open it from the message you got, or copy all of it.</li>
<li>Is it the newest link? An order that was put together again has a link of its own.</li>
<li>Still nothing? Ask where you ordered: they know the order by your name and phone number.</li></ul>
</section></main>`;
  return siteDocument(frame, 'Order not found', main);
}

/** The front page of an account's own host. */
export function frontPage(frame: Frame, help: Html | null): string {
  const main = html`<main id="main" tabindex="-1">
<section class="card now"><h1>Follow your order</h1>
<p class="detail">Open the link in the message ${frame.brand.name} sent you when you ordered.</p>
</section>
${help && html`<section class="card care">${help}</section>`}
</main>`;
  return siteDocument(frame, 'Follow your order', main);
}

function liveAttributes(frame: Frame, order: LiveOrder, now: Temporal.Instant): Html | null {
  if (order.isSettled) return null;
  const { eventsPath, linkQuery, mapFiles } = frame;
  return html` data-events="${eventsPath}?${linkQuery}" data-version="${order.version}" data-now="${epochSeconds(now)}" data-changes-at="${order.changesAtEpochS ?? ''}"
 data-map="${JSON.stringify(order.map)}"${mapFiles && html` data-map-files="${JSON.stringify(mapFiles)}"`}`;
}

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

/** Asks the customer once more. The form goes to the page's own address; it works without scripts. */
export function askCancelPage(frame: Frame, { order }: TrackedOrder, key: string): string {
  const { orderNumber, quote } = order;
  const backCents = refundOnCancelCents(order);
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
    ? 'To cancel it, open the link in your confirmation email or text message.'
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
