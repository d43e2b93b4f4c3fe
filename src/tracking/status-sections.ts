import { isYetToStart } from '../deliveries/kitchen-times.ts';
import { type Html, html } from '../lib/html.ts';
import { e164Of, phoneInWords } from '../lib/phone.ts';
import { rangeInWords } from '../messages/when.ts';
import { hasEnded, type Order } from '../orders/order.ts';
import { nextLinks } from './care-section.ts';
import { clockWords, isoOf, zoneOf } from './clock-words.ts';
import { expectedAt } from './expected-at.ts';
import { headlineOf } from './headline.ts';
import { kitchenSection } from './kitchen-section.ts';
import { mapSketch } from './map-sketch.ts';
import { mapOf } from './map-view.ts';
import { type Expected, minutesLeft } from './minutes-left.ts';
import { type ProgressStep, progressSteps } from './progress-steps.ts';
import { initialOf, vehicleWords } from './shown-facts.ts';
import { type TrackedOrder, tookStepAt } from './tracked-order.ts';

/** The order's number, the headline and the remaining minutes. */
export function nowSection(tracked: TrackedOrder, now: Temporal.Instant): Html {
  const { order } = tracked;
  const { title, detail, tone } = headlineOf(order, now);
  const isScheduled = isYetToStart(order, now);
  const expected = isScheduled ? undefined : expectedAt(order);
  return html`<section id="now" class="card now ${tone}${isScheduled && ' scheduled'}" aria-labelledby="headline">
${order.orderNumber !== null && html`<p class="number">Order <strong>${order.orderNumber}</strong></p>`}
<h1 id="headline">${title}</h1>
<p class="detail">${detail}</p>
${expected ? expectedWords(order, expected, now) : endWords(tracked, now)}
</section>`;
}

/** The browser counts the minutes on from `data-earliest` and `data-latest`. */
function expectedWords(order: Order, expected: Expected, now: Temporal.Instant): Html {
  const { earliestEpochS, latestEpochS } = expected;
  const zone = zoneOf(order);
  const left = minutesLeft(expected, now.epochMilliseconds / 1000);
  const verb = order.request.mode === 'pickup' ? 'Ready' : 'Arrives';
  const isWindow = latestEpochS - earliestEpochS >= 60;
  return html`<p class="eta"><strong id="minutes" data-earliest="${earliestEpochS}" data-latest="${latestEpochS}">${left}</strong>
<span>${verb} ${isWindow ? 'between' : 'around'} <time datetime="${isoOf(latestEpochS, zone)}">${rangeInWords({ startEpochS: earliestEpochS, endEpochS: latestEpochS }, zone, now).replace('–', isWindow ? ' and ' : '–')}</time></span></p>`;
}

/** The time of the delivery or pickup; a ready or canceled order shows no time. */
function endWords(tracked: TrackedOrder, now: Temporal.Instant): Html | null {
  const at = tookStepAt(tracked, 'order.completed');
  if (at === undefined) return null;
  const zone = zoneOf(tracked.order);
  return html`<p class="eta"><strong><time datetime="${isoOf(at, zone)}">${clockWords(at, now, zone)}</time></strong></p>`;
}

/** The steps of the order, done and to come, as a list. */
export function stepsSection(tracked: TrackedOrder, now: Temporal.Instant): Html {
  const zone = zoneOf(tracked.order);
  return html`<section id="steps" class="card" aria-labelledby="steps-title">
<h2 id="steps-title">Progress</h2>
<ol class="steps">${progressSteps(tracked, now).map((step) => stepItem(step, now, zone))}</ol>
</section>`;
}

const STATE_WORDS = { done: 'done: ', current: 'now: ', next: 'next: ', canceled: '' } as const;

function stepItem({ label, state, epochS }: ProgressStep, now: Temporal.Instant, zone: string): Html {
  const current = state === 'current' ? html` aria-current="step"` : null;
  return html`<li class="${state}"${current}><span class="label"><span class="unseen">${STATE_WORDS[state]}</span>${label}</span>${
    epochS === undefined ? null : html`<time datetime="${isoOf(epochS, zone)}">${clockWords(epochS, now, zone)}</time>`
  }</li>`;
}

/** Where the driver is, in words and as a sketch; the live map lies over the sketch where scripts run. */
export function whereSection(order: Order): Html {
  const map = mapOf(order);
  return html`<div id="where">${map && html`${mapSketch(map)}<p class="where-words">${map.words}</p>`}</div>`;
}

/** The driver and the call link; only while the driver is on the way. */
export function driverSection(tracked: TrackedOrder, key: string | null, now: Temporal.Instant): Html {
  const { order } = tracked;
  const { driver, driverStage, status } = order;
  if (status !== 'in_progress' || driverStage === 'none') return noDriverSection(tracked, key, now);
  const name = driver.name?.trim() || 'Your driver';
  const vehicle = vehicleWords(order);
  return html`<section id="driver" class="driver" aria-labelledby="driver-name">
<span class="avatar" aria-hidden="true">${initialOf(name)}</span>
<div><h2 id="driver-name">${name}</h2>
<p>${vehicle}${vehicle && driver.rating ? ' · ' : null}${
    driver.rating
      ? html`<span aria-hidden="true">★ ${driver.rating.toFixed(1)}</span><span class="unseen">rated ${driver.rating.toFixed(1)} of 5</span>`
      : null
  }</p></div>
${driver.phone ? callLink('call-driver', driver.phone, `Call ${name}`) : null}
</section>`;
}

/** The place of the map and the driver while a delivery has no driver, and after it has ended. */
function noDriverSection(tracked: TrackedOrder, key: string | null, now: Temporal.Instant): Html {
  if (tracked.order.request.mode === 'pickup') return html`<section id="driver" hidden></section>`;
  if (hasEnded(tracked.order)) {
    return html`<section id="driver" class="ended care" aria-label="What next">${nextLinks(tracked, key)}</section>`;
  }
  return kitchenSection(tracked, now);
}

/** A button-like link that dials; `phone` is digits with the country code first. */
export function callLink(id: string, phone: number, label: string): Html {
  return html`<a id="${id}" class="call" href="tel:${e164Of(phone)}" aria-label="${label}, ${phoneInWords(phone)}"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2c.3-.3.7-.4 1-.2 1.2.4 2.4.6 3.6.6.6 0 1 .4 1 1V20c0 .6-.4 1-1 1A17 17 0 0 1 3 4c0-.6.4-1 1-1h3.5c.6 0 1 .4 1 1 0 1.2.2 2.4.6 3.6.1.3 0 .7-.2 1z"/></svg>Call</a>`;
}
