import { type Html, html } from 'doorstep/html';
import { trackingLinkOf } from '../../access/accounts/tracking-site.ts';
import type { MapFiles } from '../../fulfillment/deliveries/street-map.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { refundOnCancelCents } from '../../ordering/order/order-view.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { type PageRefusal, refusalWords } from '../../texts/refusals.ts';
import { headlineOf } from './headline.ts';
import type { RenderedOrderPage } from './live-order.ts';
import { helpLinks, receiptSection } from './order-sections.ts';
import { storeAddressWords, withMark } from './page-words.ts';
import { type SiteFrame, siteDocument } from './site.page.ts';
import { isCancelable, type TrackedOrder, type Visitor } from './tracked-order.ts';

/** The pages of the tracking site: an order, its receipt and its cancelation, and pages without an order. */

/** The frame of a page. The paths contain only letters, digits, `/`, `.`, `-`. */
export type Frame = SiteFrame & {
  /** The site's URL, without a trailing slash. */
  siteUrl: string;
  /** Path of the page that follows the order. */
  pagePath: string;
  /** The query of the visitor's link, with the customer's key if the visitor has it; empty without an order. */
  linkQuery: string;
  eventsPath: string;
  /** Files of the street map; undefined if no tiles are configured, so that the page shows the sketch. */
  mapFiles: MapFiles | undefined;
};

/** Refresh interval of a page without scripts that may still change. */
const REFRESH_SECONDS = 30;

/** Renders a page of the site. A page that may change has the script, or reloads itself. */
function trackingDocument(frame: Frame, title: string, main: Html, mayChange = false): string {
  const head =
    mayChange &&
    html`<script type="module" src="${frame.scriptPath}"></script>
<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>`;
  return siteDocument(frame, { title, description: frame.locale.words.customer.page.description, head, main });
}

/** Renders a page with a form of fields, and a link back to the order. */
export function formDocument(frame: Frame, title: string, body: Html): string {
  const { page, actions } = frame.locale.words.customer;
  const head = html`<script type="module" src="${frame.scriptPath}"></script>`;
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">${title}</h1>
${body}
${backLink(frame, actions.back)}
</section></main>`;
  return siteDocument(frame, { title, description: page.description, head, main });
}

/** Renders a page with one message, a link back to the order, and the account's help. */
export function notePage(frame: Frame, { care }: TrackedOrder, title: string, ...details: readonly string[]): string {
  const { actions } = frame.locale.words.customer;
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">${title}</h1>
${details.map((detail) => html`<p class="detail">${detail}</p>`)}
<h2 class="unseen">${actions.title}</h2>
${backLink(frame, actions.back)}
${helpLinks(care, frame.locale)}
</section></main>`;
  return trackingDocument(frame, title, main);
}

/** Renders the parts of the customer's link as hidden form fields. */
export function linkFields({ order }: TrackedOrder, { key, lang }: Visitor): Html {
  return html`<input type="hidden" name="tracking_id" value="${order.orderId}">
<input type="hidden" name="key" value="${key}">
${lang && html`<input type="hidden" name="lang" value="${lang}">`}`;
}

/** Renders a placed order's page, complete without scripts. For pickup, the store's address precedes the steps. */
export function trackingPage(
  frame: Frame,
  orderId: string,
  order: RenderedOrderPage,
  isTest: boolean,
  now: Temporal.Instant,
): string {
  const { parts } = order;
  const main = html`<main id="main" tabindex="-1"${liveAttributes(frame, order, now)}>
<p id="announcement" class="unseen" role="status"></p>
<div>
${isTest && html`<p class="test">${frame.locale.words.customer.page.testOrder}</p>`}
${parts.now}
${!order.isPickup && mapSection(order, frame.locale)}
${!order.isPickup && parts.driver}
${order.isPickup ? parts.places : parts.steps}
</div>
<div>
${order.isPickup ? parts.steps : parts.places}
<div class="card care">
${parts.care}
${!order.isSettled && shareSection(frame, orderId)}
</div>
${parts.receipt}
</div>
</main>
<footer><p id="live-state" data-state="still"></p><p>${idWords(orderId, frame.locale)}</p></footer>`;
  return trackingDocument(frame, order.title, main, !order.isSettled);
}

/** Renders the link without the customer's key. Scripts offer the device's share dialog; without, it can be copied. */
function shareSection({ siteUrl, locale }: Frame, orderId: string): Html {
  const { open, link, hint } = locale.words.customer.share;
  return html`<details id="share">
<summary class="action">${open}</summary>
<label for="share-link">${link}</label>
<input id="share-link" readonly value="${trackingLinkOf({ siteUrl }, orderId)}" aria-describedby="share-hint">
<p id="share-hint">${hint}</p>
<p id="share-state" role="status"></p>
</details>`;
}

function idWords(orderId: string, { words }: Locale): Html {
  return withMark(words.customer.page.orderId({ id: orderId }), orderId, (piece) => html`<code>${piece}</code>`);
}

/** Renders the map of a delivery, which precedes the headline while it shows a driver. */
function mapSection({ parts, map }: RenderedOrderPage, { words }: Locale): Html {
  return html`<section id="driver-location" class="card where" aria-labelledby="where-title"${!map && html` hidden`}>
<h2 id="where-title" class="unseen">${words.customer.driver.where}</h2>
<div id="map"></div>
${parts.where}
</section>`;
}

/**
 * Renders the page for an order that its customer has not placed or paid yet, with a link to its checkout for anyone
 * who has the key. It becomes the order's page by itself.
 */
export function unplacedPage(
  frame: Frame,
  order: RenderedOrderPage,
  checkoutUrl: string | undefined,
  now: Temporal.Instant,
): string {
  const { headline, actions } = frame.locale.words.customer;
  const { notPlaced, notPlacedDetail } = headline;
  const main = html`<main id="main" tabindex="-1" data-unplaced${liveAttributes(frame, order, now)}>
<section class="card now waiting"><h1>${notPlaced}</h1>
<p class="detail">${notPlacedDetail}</p>
${checkoutUrl && html`<a id="checkout" class="action main" href="${checkoutUrl}">${actions.checkout}</a>`}
</section></main>`;
  return trackingDocument(frame, notPlaced, main, true);
}

/** Renders the page for an order that does not exist, or not on this host. */
export function missingPage(frame: Frame): string {
  const { missing } = frame.locale.words.customer;
  const main = html`<main id="main" tabindex="-1">
<section class="card now"><h1>${missing.headline}</h1>
<p class="detail">${missing.detail}</p>
<ul class="hints">${[missing.openAgain, missing.newest, missing.ask].map((hint) => html`<li>${hint}</li>`)}</ul>
</section></main>`;
  return trackingDocument(frame, missing.title, main);
}

/** Renders the page for an address that does not exist. */
export function lostPage(frame: Frame, backPath: string): string {
  const { title, detail, back } = frame.locale.words.customer.lost;
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">${title}</h1>
<p class="detail">${detail}</p>
<a class="action main" href="${backPath}">${back}</a></section></main>`;
  return trackingDocument(frame, title, main);
}

/** Renders the page for a refused request, with a link back if the order's link is known. */
export function refusedPage(frame: Frame, code: PageRefusal): string {
  const { title, detail } = refusalWords(frame.locale, code);
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">${title}</h1>
<p class="detail">${detail}</p>
${frame.linkQuery !== '' && backLink(frame, frame.locale.words.customer.actions.back)}
</section></main>`;
  return trackingDocument(frame, title, main);
}

/** Renders the front page of an account's own host. */
export function frontPage(frame: Frame, help: Html | null): string {
  const { front } = frame.locale.words.customer;
  const main = html`<main id="main" tabindex="-1">
<section class="card now"><h1>${front.title}</h1>
<p class="detail">${front.detail({ brand: frame.brand.name })}</p>
</section>
${help && html`<section class="card care">${help}</section>`}
</main>`;
  return trackingDocument(frame, front.title, main);
}

function liveAttributes(frame: Frame, order: RenderedOrderPage, now: Temporal.Instant): Html | null {
  if (order.isSettled) return null;
  const { eventsPath, linkQuery, mapFiles } = frame;
  return html` data-events="${eventsPath}?${linkQuery}" data-version="${order.version}" data-now="${epochSeconds(now)}" data-changes-at="${order.changesAtEpochS ?? ''}"
 data-map="${JSON.stringify(order.map)}"${mapFiles && html` data-map-files="${JSON.stringify(mapFiles)}"`}`;
}

/** Renders the printable receipt of a placed order: the amounts of the emailed receipt, and no customer data. */
export function receiptPage(
  frame: Frame,
  tracked: TrackedOrder,
  { now, taxIds }: { now: Temporal.Instant; taxIds: readonly string[] },
): string {
  const { order } = tracked;
  const { store } = order.quote;
  const { locale } = frame;
  const { receipt, page, actions } = locale.words.customer;
  const time = order.placedAt && locale.format.moment(order.placedAt, orderZone(order), now);
  const number = order.orderNumber;
  const main = html`<main id="main" tabindex="-1">
${order.mode === 'sandbox' && html`<p class="test">${page.testOrder}</p>`}
<section class="card now" aria-labelledby="headline"><h1 id="headline">${receipt.title}</h1>
<p class="detail">${number === null ? receipt.from({ store: store.name }) : receipt.fromNumbered({ number, store: store.name })}</p>
<p class="detail">${storeAddressWords(store.address)}</p>
${time && html`<p class="detail">${receipt.placed({ time })}</p>`}
${taxIds.length > 0 && html`<p class="detail"><b>${receipt.taxIds}</b> ${taxIds.join(', ')}</p>`}
</section>
${receiptSection(tracked, locale)}
<p class="back"><a href="${frame.pagePath}?${frame.linkQuery}">${actions.back}</a></p>
</main>
<footer><p>${idWords(order.orderId, locale)}</p></footer>`;
  return trackingDocument(frame, number === null ? receipt.title : receipt.titleNumbered({ number }), main);
}

/** Asks the customer to confirm the cancelation. The form posts to the page's own URL and works without scripts. */
export function askCancelPage(frame: Frame, tracked: TrackedOrder, visitor: Visitor): string {
  const { order } = tracked;
  const { words, format } = frame.locale;
  const { cancel, actions } = words.customer;
  const { orderNumber, quote } = order;
  const backCents = refundOnCancelCents(order);
  const store = quote.store.name;
  const detail = [
    orderNumber === null ? cancel.what({ store }) : cancel.whatNumbered({ number: orderNumber, store }),
    ...(backCents > 0 ? [cancel.refund({ amount: format.money(backCents) })] : []),
    cancel.final,
  ].join(' ');
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">${cancel.title}</h1>
<p class="detail">${detail}</p>
<form method="post" action="${frame.pagePath}/cancel">
${linkFields(tracked, visitor)}
<button type="submit" id="confirm-cancel" class="action danger">${actions.cancel}</button>
</form>
${backLink(frame, cancel.keep)}
</section></main>`;
  return trackingDocument(frame, cancel.title, main);
}

/**
 * Renders the page for an order that cannot be canceled here: it is too far along, it has ended, its account does not
 * let customers cancel, or the link has no valid key.
 */
export function cannotCancelPage(frame: Frame, tracked: TrackedOrder, now: Temporal.Instant): string {
  const { cancel } = frame.locale.words.customer;
  const detail = isCancelable(tracked) ? cancel.openYourLink : headlineOf(tracked.order, frame.locale, now).title;
  return notePage(frame, tracked, cancel.cannot, detail);
}

function backLink({ pagePath, linkQuery }: Frame, words: string): Html {
  return html`<a class="action" href="${pagePath}?${linkQuery}">${words}</a>`;
}
