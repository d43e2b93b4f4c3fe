import { type Html, html } from '../lib/html.ts';
import { epochSeconds } from '../lib/time.ts';
import type { LiveOrder } from './live-order.ts';
import { type Frame, siteDocument } from './site-document.page.ts';

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
<section id="whereabouts" class="where" aria-labelledby="where-title"${!map && html` hidden`}>
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
