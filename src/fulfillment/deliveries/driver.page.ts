import { type Html, html, htmlDocument } from 'doorstep/html';
import { doorOf } from '../../ordering/order/arrival.ts';
import { languageLinks } from '../../platform/languages/page-language.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { type Delivery, driverLocale, driverParts, type PhoneSettings, stageOf } from './driver-view.ts';
import type { MapFiles } from './street-map.ts';

/** Paths of the page's files. They are the service's own and contain only letters, digits, `/`, `.`, `-`. */
export type DriverFrame = {
  iconPath: string;
  scriptPath: string;
  stylePath: string;
  mapFiles: MapFiles | undefined;
  /** The driver's link, for tracking apps. */
  link: string;
};

/** Refresh interval of the page without scripts. */
const REFRESH_SECONDS = 30;

/** Renders the driver's page for a delivery. Its script takes the steps and shares the position. */
export function driverPage(frame: DriverFrame, delivery: Delivery, phone: PhoneSettings): string {
  const { order } = delivery;
  const locale = driverLocale(order, phone);
  const { driver } = locale.words;
  const parts = driverParts(delivery, phone);
  const door = doorOf(order);
  const { name, country, latitude, longitude } = order.quote.store;
  const main = html`<main id="main" tabindex="-1" data-stage="${stageOf(order)}" data-country="${country}" data-door="${door ? JSON.stringify(door) : ''}" data-store="${JSON.stringify({ latitude, longitude })}"${
    frame.mapFiles && html` data-map-files="${JSON.stringify(frame.mapFiles)}"`
  }>
<p id="announcement" class="unseen" role="status"></p>
${order.mode === 'sandbox' && html`<p class="test">${driver.test}</p>`}
<noscript><p class="card">${driver.needsScript}</p></noscript>
${parts.now}
<div id="driver-map" class="card" hidden><div id="map"></div></div>
${parts.stops}
${parts.proof}
${parts.behind}
<details class="card apps"><summary id="other-apps">${driver.map.otherApps}</summary>
<p>${driver.map.stops}</p>
<p>${driver.map.trackers}</p>
<p><code>${frame.link}</code></p></details>
<div class="bar">
<p id="sharing" data-state="off"></p>
<p id="sending" role="alert"></p>
${parts.action}
</div>
<dialog id="far" aria-labelledby="far-title"><h2 id="far-title">${driver.far.title}</h2>
<p id="far-words"></p>
<p class="pair"><button id="far-no" type="button" class="link">${driver.far.notYet}</button><button id="far-yes" type="button" class="link">${driver.far.delivered}</button></p></dialog>
</main>`;
  const script = html`<script type="module" src="${frame.scriptPath}"></script>
<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>`;
  return driverDocument(frame, locale, { title: driver.title({ store: name }), main, script });
}

/** Renders the page for an invalid link, a link replaced by another driver's, or an ended delivery. */
export function missingDriverPage(frame: DriverFrame, locale: Locale): string {
  const { ended } = locale.words.driver;
  const main = html`<main id="main" tabindex="-1"><section class="card now"><h1>${ended.title}</h1>
<p class="detail">${ended.detail}</p>
<ul class="hints"><li>${ended.wholeLink}</li>
<li>${ended.callStore}</li></ul></section></main>`;
  return driverDocument(frame, locale, { title: ended.tab, main, script: null });
}

function driverDocument(
  { iconPath, stylePath }: DriverFrame,
  { language, words: { driver } }: Locale,
  { title, main, script }: { title: string; main: Html; script: Html | null },
): string {
  return htmlDocument({
    title,
    language,
    head: html`<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${iconPath}">
<link rel="stylesheet" href="${stylePath}">
${script}`,
    body: html`<a class="skip" href="#main">${driver.skip}</a>
<header><span class="brand">${driver.brand}</span>${languageLinks(language, driver.language)}</header>
${main}`,
  });
}
