import { type Html, html, htmlDocument } from '../../platform/lib/html.ts';
import { doorOf } from './driver-location.ts';
import { type Delivery, driverParts, type MapApp, stageOf } from './driver-view.ts';

/** The paths of the page's files, which are the service's own: letters, digits, `/`, `.`, `-`. */
export type DriverFrame = { iconPath: string; scriptPath: string; stylePath: string };

/** Without scripts the page looks again this often. */
const REFRESH_SECONDS = 30;

/** The page of a delivery for its driver; its script takes the steps and shares the position. */
export function driverPage(frame: DriverFrame, delivery: Delivery, maps: MapApp): string {
  const { order } = delivery;
  const parts = driverParts(delivery, maps);
  const door = doorOf(order);
  const main = html`<main id="main" tabindex="-1" data-stage="${stageOf(order)}" data-door="${door ? JSON.stringify(door) : ''}">
<p id="announcement" class="unseen" role="status"></p>
${order.mode === 'sandbox' && html`<p class="test">Test order: nothing is made or brought.</p>`}
<noscript><p class="card">This page needs scripts to take steps and to share your position. Without scripts call the store, which takes the steps for you.</p></noscript>
${parts.now}
${parts.stops}
${parts.proof}
${parts.behind}
<div class="bar">
<p id="sharing" data-state="off"></p>
<p id="sending" role="alert"></p>
${parts.action}
</div>
<dialog id="far" aria-labelledby="far-title"><h2 id="far-title">Far from the door</h2>
<p id="far-words"></p>
<p class="links"><button id="far-no" type="button" class="link">Not yet</button><button id="far-yes" type="button" class="link">Delivered here</button></p></dialog>
</main>`;
  const script = html`<script type="module" src="${frame.scriptPath}"></script>
<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>`;
  return driverDocument(frame, `Delivery for ${order.quote.store.name}`, main, script);
}

/** The link is wrong, was given to another driver, or the delivery has ended. */
export function missingDriverPage(frame: DriverFrame): string {
  const main = html`<main id="main" tabindex="-1"><section class="card now"><h1>This link does not work any more</h1>
<p class="detail">The delivery has ended, or another driver has it now.</p>
<ul class="hints"><li>Is the link whole? Open it from the message that you got.</li>
<li>Do you still have the order? Call the store.</li></ul></section></main>`;
  return driverDocument(frame, 'Link ended', main, null);
}

function driverDocument({ iconPath, stylePath }: DriverFrame, title: string, main: Html, script: Html | null): string {
  return htmlDocument({
    title,
    head: html`<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${iconPath}">
<link rel="stylesheet" href="${stylePath}">
${script}`,
    body: html`<a class="skip" href="#main">Skip to the delivery</a>
<header><span class="brand">Delivery</span></header>
${main}`,
  });
}
