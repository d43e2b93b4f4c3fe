import { arrivalEpochS, isOnTheWay } from '../../fulfillment/deliveries/driver-location.ts';
import { isBeforeKitchenStart, kitchenStartsEpochS, readyEpochS } from '../../fulfillment/deliveries/kitchen-times.ts';
import { hasEnded, type Order } from '../../ordering/orders/order.ts';
import { arrivalOf, isUnderWay } from '../../ordering/orders/order-view.ts';
import { rangeInWords } from '../../ordering/orders/wording/format-time.ts';
import { type Html, html } from '../../platform/lib/html.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { headlineOf, startWords } from './headline.ts';
import { mapOf, mapSketch } from './map-view.ts';
import { type Expected, minutesLeft, preparedPercent } from './minutes-left.ts';
import { callLink, nextLinks } from './order-sections.ts';
import { clockWords, initialOf, isoOf, vehicleWords, zoneOf } from './page-words.ts';
import { type TrackedOrder, tookStepAt } from './tracked-order.ts';

/** How far an order is, on its page: the headline with the time, the steps, the driver or the kitchen, and the map in words. */

/** The order's number, the headline and the remaining minutes. */
export function nowSection(tracked: TrackedOrder, now: Temporal.Instant): Html {
  const { order } = tracked;
  const { title, detail, tone } = headlineOf(order, now);
  const isScheduled = isBeforeKitchenStart(order, now);
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
  const isSlot = latestEpochS - earliestEpochS >= 60;
  return html`<p class="eta"><strong id="minutes" data-earliest="${earliestEpochS}" data-latest="${latestEpochS}">${left}</strong>
<span>${verb} ${isSlot ? 'between' : 'around'} <time datetime="${isoOf(latestEpochS, zone)}">${rangeInWords({ startEpochS: earliestEpochS, endEpochS: latestEpochS }, zone, now).replace('–', isSlot ? ' and ' : '–')}</time></span></p>`;
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

/**
 * The expected time at the door or of pickup; undefined once there or canceled. A moving driver's position replaces the
 * estimate; a scheduled order is expected in its slot, or later if late.
 */
function expectedAt(order: Order): Expected | undefined {
  const { quote, request } = order;
  if (!isUnderWay(order) || (request.mode === 'pickup' && order.isReady)) return undefined;
  const arrival = isOnTheWay(order) ? arrivalEpochS(order) : undefined;
  if (arrival !== undefined) return { earliestEpochS: arrival, latestEpochS: arrival };
  const latestEpochS = epochSeconds(arrivalOf(order));
  const slot = quote.scheduled;
  if (slot && latestEpochS > slot.endEpochS) return { earliestEpochS: latestEpochS, latestEpochS };
  if (slot) return { earliestEpochS: slot.startEpochS, latestEpochS: slot.endEpochS };
  const { minimum, maximum } = quote.minutes;
  return { earliestEpochS: latestEpochS - (maximum - minimum) * 60, latestEpochS };
}

/** A step of the way. Reached ones have their time, in epoch seconds, where it was recorded. */
type ProgressStep = {
  label: string;
  state: 'done' | 'current' | 'next' | 'canceled';
  epochS: number | undefined;
};

type Milestone = { label: string; epochS?: number | undefined; isReached?: boolean };

/**
 * The steps of a delivery or of a pickup: done, current and next. Steps and labels stay the same from placing to the end. A
 * canceled order stops where it was.
 */
function progressSteps(tracked: TrackedOrder, now: Temporal.Instant): ProgressStep[] {
  const { status } = tracked.order;
  const milestones = milestonesOf(tracked, now);
  if (status === 'canceled') return stepsUntilCanceled(tracked, milestones);
  const reached = milestones.findLastIndex(({ epochS, isReached }) => isReached || epochS !== undefined);
  const doneUntil = status === 'completed' ? reached + 1 : reached;
  return milestones.map(({ label, epochS }, index) => {
    const comes = index === reached ? 'current' : 'next';
    return { label, epochS, state: index < doneUntil ? 'done' : comes };
  });
}

function milestonesOf(tracked: TrackedOrder, now: Temporal.Instant): Milestone[] {
  const { order } = tracked;
  const { store, scheduled } = order.quote;
  const at = (type: Parameters<typeof tookStepAt>[1]) => tookStepAt(tracked, type);
  const isConfirmed = at('order.confirmed') !== undefined;
  const isPickup = order.request.mode === 'pickup';
  const slot = scheduled && {
    label: `Scheduled for ${rangeInWords(scheduled, zoneOf(order), now)}`,
    isReached: isConfirmed,
  };
  return [
    { label: 'Order placed', epochS: at('order.placed') },
    { label: `Confirmed by ${store.name}`, epochS: at('order.confirmed') },
    ...(slot ? [slot] : []),
    { label: 'Preparing', isReached: isConfirmed && !isBeforeKitchenStart(order, now) },
    { label: isPickup ? 'Ready for pickup' : 'Ready', epochS: at('order.ready') },
    ...(isPickup ? [] : [{ label: 'On the way', epochS: at('order.picked_up') }]),
    { label: isPickup ? 'Picked up' : 'Delivered', epochS: at('order.completed') },
  ];
}

/** The steps with a time, then the cancelation and its refund. */
function stepsUntilCanceled(tracked: TrackedOrder, milestones: readonly Milestone[]): ProgressStep[] {
  const refundedAt = tookStepAt(tracked, 'order.refunded');
  return [
    ...milestones
      .filter(({ epochS }) => epochS !== undefined)
      .map(({ label, epochS }): ProgressStep => ({ label, state: 'done', epochS })),
    { label: 'Canceled', state: 'canceled', epochS: tookStepAt(tracked, 'order.canceled') },
    ...(refundedAt === undefined ? [] : [{ label: 'Refunded', state: 'done' as const, epochS: refundedAt }]),
  ];
}

const FOLLOW = 'Then a driver will bring it to you, and you can follow along here.';

/** How far the store is with a delivery that no driver has yet, in place of the map. */
function kitchenSection(tracked: TrackedOrder, now: Temporal.Instant): Html {
  const { order } = tracked;
  const { title, detail } = kitchenWords(order, now);
  return html`<section id="driver" class="kitchen" aria-labelledby="kitchen-title"${order.status === 'unplaced' && html` hidden`}>
<svg viewBox="0 0 48 48" aria-hidden="true" focusable="false"><path d="M11 17h26l2.5 24h-31z"/><path d="M17.5 22v-7a6.5 6.5 0 0 1 13 0v7"/></svg>
<h2 id="kitchen-title">${title}</h2>
${progressBar(tracked, now)}
<p>${detail}</p>
</section>`;
}

function kitchenWords(order: Order, now: Temporal.Instant): { title: string; detail: string } {
  const store = order.quote.store.name;
  if (order.isReady)
    return { title: 'Waiting for a driver', detail: 'Once it is picked up, you can follow it here on a map.' };
  if (isBeforeKitchenStart(order, now)) return { title: startWords(order, now), detail: FOLLOW };
  if (order.status === 'awaiting_confirmation') {
    return { title: 'Not started yet', detail: `${store} will start once they confirm your order.` };
  }
  const readyAtEpochS = readyEpochS(order);
  const isDue = readyAtEpochS <= epochSeconds(now);
  return {
    title: isDue ? 'Ready any minute now' : `Ready around ${clockWords(readyAtEpochS, now, zoneOf(order))}`,
    detail: FOLLOW,
  };
}

/** The browser moves the bar on from `data-from` to `data-to`. */
function progressBar(tracked: TrackedOrder, now: Temporal.Instant): Html {
  const { order } = tracked;
  const confirmedEpochS = tookStepAt(tracked, 'order.confirmed');
  if (order.isReady || confirmedEpochS === undefined || isBeforeKitchenStart(order, now)) {
    return html`<progress max="100" value="${order.isReady ? 100 : 0}" aria-labelledby="kitchen-title"></progress>`;
  }
  const span = {
    fromEpochS: Math.max(confirmedEpochS, kitchenStartsEpochS(order) ?? 0),
    toEpochS: readyEpochS(order),
  };
  return html`<progress id="prepared" max="100" value="${preparedPercent(span, epochSeconds(now))}" data-from="${span.fromEpochS}" data-to="${span.toEpochS}" aria-labelledby="kitchen-title"></progress>`;
}

/** When the page next changes without a step of the order; undefined where only a step changes it. */
export function changesAtEpochS(order: Order, now: Temporal.Instant): number | undefined {
  if (!isUnderWay(order)) return undefined;
  const moments = [
    order.offerAt ? epochSeconds(order.offerAt) : undefined,
    kitchenStartsEpochS(order),
    order.status === 'in_progress' && !order.isReady ? readyEpochS(order) : undefined,
  ];
  const toCome = moments.filter((at) => at !== undefined).filter((at) => at > epochSeconds(now));
  return toCome.length === 0 ? undefined : Math.min(...toCome);
}
