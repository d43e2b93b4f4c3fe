import { type Html, html } from 'doorstep/html';
import { declinedInWords, isHoldDeclined } from '../../ordering/money/hold-times.ts';
import { driverPositionOf } from '../../ordering/order/arrival.ts';
import {
  expectedTime,
  expectedTimeChangesEpochS,
  isBeforeKitchenStart,
  kitchenStartsEpochS,
  readyEpochS,
  type TimeRange,
} from '../../ordering/order/kitchen-times.ts';
import { hasEnded, type Order } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { arrivalOf, isUnderWay } from '../../ordering/order/order-view.ts';
import { momentAt } from '../../platform/languages/format.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { headlineOf, startTime } from './headline.ts';
import { mapOf, mapSketch } from './map-view.ts';
import { LATE_AFTER_MINUTES, minutesLeft, preparedPercent } from './minutes-left.ts';
import { callLink, nextLinks } from './order-sections.ts';
import { initialOf, isoOf, vehicleWords, withMark } from './page-words.ts';
import { stepTime, type TrackedOrder, type Visitor, visitQuery } from './tracked-order.ts';

/**
 * Sections of the page about the order's progress: headline and time, steps, driver or kitchen, and the map in words.
 */

const LATE_AFTER_S = LATE_AFTER_MINUTES * 60;

/** Renders the remaining minutes, the headline and the order's number, and asks for another card if one was declined. */
export function nowSection(tracked: TrackedOrder, visitor: Visitor, locale: Locale, now: Temporal.Instant): Html {
  const { order } = tracked;
  const { title, detail, tone } = headlineOf(order, locale, now);
  const isScheduled = isBeforeKitchenStart(order, now);
  const isOpen = isUnderWay(order) && !(order.request.mode === 'pickup' && order.isReady);
  const expected = isOpen && !isScheduled ? expectedTime(order, now) : undefined;
  return html`<section id="now" class="card now ${tone}${isScheduled && ' scheduled'}" aria-labelledby="headline">
${expected ? expectedWords(order, expected, locale, now) : endWords(tracked, locale, now)}
<h1 id="headline">${title}</h1>
<p class="detail">${detail}</p>
${declinedNote(tracked, visitor, locale, now)}
${order.orderNumber !== null && html`<p class="order-number">${numberWords(order.orderNumber, locale)}</p>`}
</section>`;
}

function declinedNote(tracked: TrackedOrder, visitor: Visitor, locale: Locale, now: Temporal.Instant): Html | null {
  const { order, steps } = tracked;
  const declined = steps.findLast(({ type }) => type === 'order.hold_declined');
  if (visitor.key === null || !isHoldDeclined(order, declined?.epochS)) return null;
  const { customer, checkout } = locale.words;
  return html`<p class="detail" role="alert"><strong>${customer.mail.declined.headline}.</strong> ${declinedInWords(order, locale, now)}</p>
<a id="other-card" class="action main" href="checkout/card?${visitQuery(order.orderId, visitor)}" rel="noreferrer">${checkout.card.other}</a>`;
}

function numberWords(number: string, { words }: Locale): Html {
  return withMark(words.customer.page.orderNumber({ number }), number, (piece) => html`<strong>${piece}</strong>`);
}

/** Renders the expected time. The browser counts the minutes down from `data-earliest` and `data-latest`. */
function expectedWords(order: Order, expected: TimeRange, { words, format }: Locale, now: Temporal.Instant): Html {
  const { earliestEpochS, latestEpochS } = expected;
  const left = minutesLeft(expected, now.epochMilliseconds / 1000, words.live);
  const time = format.slot({ startEpochS: earliestEpochS, endEpochS: latestEpochS }, orderZone(order), now);
  const shown = expectedSentence(order, expected, words.customer.eta, now)({ time });
  const mark = (piece: string) => html`<time datetime="${isoOf(latestEpochS, order)}">${piece}</time>`;
  return html`<p class="eta"><strong id="minutes" data-earliest="${earliestEpochS}" data-latest="${latestEpochS}">${left}</strong>
<span>${withMark(shown, time, mark)}</span></p>`;
}

type ExpectedWords = Locale['words']['customer']['eta'];

function expectedSentence(
  order: Order,
  { earliestEpochS, latestEpochS }: TimeRange,
  words: ExpectedWords,
  now: Temporal.Instant,
): ExpectedWords[keyof ExpectedWords] {
  if (latestEpochS + LATE_AFTER_S <= epochSeconds(now)) return words.wasExpected;
  if (latestEpochS >= epochSeconds(arrivalOf(order)) + LATE_AFTER_S && !order.quote.scheduled) return words.lateAround;
  const isRange = latestEpochS - earliestEpochS >= 60;
  if (order.request.mode === 'pickup') return isRange ? words.readyBetween : words.readyAround;
  return isRange ? words.arrivesBetween : words.arrivesAround;
}

/** Renders the time of delivery or pickup; a ready or canceled order shows none. */
function endWords(tracked: TrackedOrder, { format }: Locale, now: Temporal.Instant): Html | null {
  const at = stepTime(tracked, 'order.completed');
  if (at === undefined) return null;
  const { order } = tracked;
  return html`<p class="eta"><strong><time datetime="${isoOf(at, order)}">${format.moment(momentAt(at), orderZone(order), now)}</time></strong></p>`;
}

/** Renders the completed and upcoming steps of the order, where they have a card of their own. */
export function stepsSection(tracked: TrackedOrder, locale: Locale, now: Temporal.Instant): Html {
  if (!hasStepsCard(tracked.order)) return html`<section id="steps" hidden></section>`;
  return html`<section id="steps" class="card" aria-labelledby="steps-title">
${stepsList(tracked, locale, now)}
</section>`;
}

/** The map takes the place that the steps of a delivery have before and after it. */
const hasStepsCard = (order: Order) => order.request.mode === 'pickup' || driverPositionOf(order) !== undefined;

function stepsList(tracked: TrackedOrder, locale: Locale, now: Temporal.Instant): Html {
  const { order } = tracked;
  return html`<div><h2 id="steps-title">${locale.words.customer.steps.title}</h2>
<ol class="steps">${progressSteps(tracked, locale, now).map((step) => stepItem(step, locale, now, order))}</ol></div>`;
}

function stepItem(
  { label, state, epochS }: ProgressStep,
  { words, format }: Locale,
  now: Temporal.Instant,
  order: Order,
): Html {
  const { done, current: happening, next } = words.customer.steps;
  const stateWords = { done, current: happening, next, canceled: '' }[state];
  const current = state === 'current' ? html` aria-current="step"` : null;
  return html`<li class="${state}"${current}><span class="label"><span class="unseen">${stateWords} </span>${label}</span>${
    epochS === undefined
      ? null
      : html`<time datetime="${isoOf(epochS, order)}">${format.moment(momentAt(epochS), orderZone(order), now)}</time>`
  }</li>`;
}

/** Renders the driver's location, in words and as a sketch, which the live map covers if scripts run. */
export function whereSection(order: Order, locale: Locale): Html {
  const map = mapOf(order, locale);
  return html`<div id="where">${map && html`${mapSketch(map, locale)}<p class="where-words">${map.words}</p>`}</div>`;
}

/** Renders who has a delivery, the kitchen or the driver, or the actions after it; and its steps without a map. */
export function driverSection(tracked: TrackedOrder, visitor: Visitor, locale: Locale, now: Temporal.Instant): Html {
  const { order } = tracked;
  if (order.request.mode === 'pickup') return html`<section id="driver" hidden></section>`;
  const steps = !hasStepsCard(order) && stepsList(tracked, locale, now);
  if (hasEnded(order)) {
    return html`<section id="driver" class="card stage care" aria-label="${locale.words.customer.driver.whatNext}">${photoOf(tracked, visitor, locale)}${nextLinks(tracked, visitor, locale, now)}${steps}</section>`;
  }
  const hasDriver = order.status === 'in_progress' && order.driverStage !== 'none';
  return html`<section id="driver" class="card${steps && ' stage'}" aria-labelledby="driver-title">
${hasDriver ? driverRow(order, locale) : kitchenRow(tracked, locale, now)}${steps}
</section>`;
}

/** Renders the driver and the call link, only while the driver is on the way. */
function driverRow(order: Order, locale: Locale): Html {
  const { driver } = order;
  const { words, format } = locale;
  const name = driver.name?.trim() || words.customer.driver.unnamed;
  const vehicle = vehicleWords(order, locale);
  const rating = driver.rating && format.number(driver.rating, 1);
  return html`<div class="contact"><span class="avatar" aria-hidden="true">${initialOf(name)}</span>
<div><h2 id="driver-title">${name}</h2>
<p>${vehicle}${vehicle && rating ? ' · ' : null}${
    rating
      ? html`<span aria-hidden="true">★&nbsp;${rating}</span><span class="unseen">${words.customer.driver.rated({ rating })}</span>`
      : null
  }</p></div>
${driver.phone ? callLink('call-driver', driver.phone, name, locale) : null}</div>`;
}

/** Renders the proof-of-delivery photo, for the customer only: an image, or a link if a courier company has it. */
function photoOf({ order, photo }: TrackedOrder, visitor: Visitor, { words }: Locale): Html | null {
  if (photo === null || visitor.key === null) return null;
  const { alt, view } = words.customer.photo;
  const path = `tracking/photo?${visitQuery(order.orderId, visitor)}`;
  return photo === 'driver'
    ? html`<a id="photo" class="proof" href="${path}"><img src="${path}" alt="${alt}"></a>`
    : html`<a id="photo" class="action" href="${path}" rel="noreferrer">${view}</a>`;
}

/** A step of the order's progress. Completed steps have their time, in epoch seconds, if it was recorded. */
type ProgressStep = { label: string; state: 'done' | 'current' | 'next' | 'canceled'; epochS: number | undefined };

type Milestone = { label: string; epochS?: number | undefined; isReached?: boolean };

/**
 * Returns the steps of a delivery or pickup: done, current and next. Steps and labels stay the same from placing to the
 * end. For a canceled order, the list ends where it was canceled.
 */
function progressSteps(tracked: TrackedOrder, locale: Locale, now: Temporal.Instant): ProgressStep[] {
  const { status } = tracked.order;
  const milestones = milestonesOf(tracked, locale, now);
  if (status === 'canceled') return stepsUntilCanceled(tracked, milestones, locale);
  const reached = milestones.findLastIndex(({ epochS, isReached }) => isReached || epochS !== undefined);
  const doneUntil = status === 'completed' ? reached + 1 : reached;
  return milestones.map(({ label, epochS }, index) => {
    const comes = index === reached ? 'current' : 'next';
    return { label, epochS, state: index < doneUntil ? 'done' : comes };
  });
}

function milestonesOf(tracked: TrackedOrder, { words, format }: Locale, now: Temporal.Instant): Milestone[] {
  const { steps } = words.customer;
  const { order } = tracked;
  const { store, scheduled } = order.quote;
  const at = (type: Parameters<typeof stepTime>[1]) => stepTime(tracked, type);
  const isConfirmed = at('order.confirmed') !== undefined;
  const isPickup = order.request.mode === 'pickup';
  const slot = scheduled && {
    label: steps.scheduled({ time: format.slot(scheduled, orderZone(order), now) }),
    isReached: isConfirmed,
  };
  return [
    { label: steps.placed, epochS: at('order.placed') },
    { label: steps.confirmed({ store: store.name }), epochS: at('order.confirmed') },
    ...(slot ? [slot] : []),
    { label: steps.preparing, isReached: isConfirmed && !isBeforeKitchenStart(order, now) },
    { label: isPickup ? steps.readyForPickup : steps.ready, epochS: at('order.ready') },
    ...(isPickup ? [] : [{ label: steps.onTheWay, epochS: at('order.picked_up') }]),
    { label: isPickup ? steps.pickedUp : steps.delivered, epochS: at('order.completed') },
  ];
}

/** Returns the steps with a time, then the cancelation and its refund. */
function stepsUntilCanceled(
  tracked: TrackedOrder,
  milestones: readonly Milestone[],
  { words }: Locale,
): ProgressStep[] {
  const { canceled, refunded } = words.customer.steps;
  const refundedAt = stepTime(tracked, 'order.refunded');
  return [
    ...milestones
      .filter(({ epochS }) => epochS !== undefined)
      .map(({ label, epochS }): ProgressStep => ({ label, state: 'done', epochS })),
    { label: canceled, state: 'canceled', epochS: stepTime(tracked, 'order.canceled') },
    ...(refundedAt === undefined ? [] : [{ label: refunded, state: 'done' as const, epochS: refundedAt }]),
  ];
}

/** Renders the kitchen's progress while a delivery has no driver. */
function kitchenRow(tracked: TrackedOrder, locale: Locale, now: Temporal.Instant): Html {
  const { order } = tracked;
  const { title, detail } = kitchenWords(order, locale, now);
  return html`<div class="kitchen"><svg viewBox="0 0 48 48" aria-hidden="true" focusable="false"><path d="M11 17h26l2.5 24h-31z"/><path d="M17.5 22v-7a6.5 6.5 0 0 1 13 0v7"/></svg>
<h2 id="driver-title">${title}</h2>
${progressBar(tracked, now)}
<p>${detail}</p></div>`;
}

function kitchenWords(order: Order, locale: Locale, now: Temporal.Instant): { title: string; detail: string } {
  const { kitchen, eta } = locale.words.customer;
  const store = order.quote.store.name;
  if (order.isReady) return { title: kitchen.waitingForDriver, detail: kitchen.followOnMap };
  if (isBeforeKitchenStart(order, now)) {
    const time = startTime(order, locale, now);
    return { title: kitchen.startsAround({ store, time }), detail: kitchen.driverNext };
  }
  if (order.status === 'awaiting_confirmation') {
    return { title: kitchen.notStarted, detail: kitchen.startsOnceConfirmed({ store }) };
  }
  const readyAtEpochS = readyEpochS(order);
  const isDue = readyAtEpochS <= epochSeconds(now);
  const time = locale.format.moment(momentAt(readyAtEpochS), orderZone(order), now);
  return { title: isDue ? kitchen.readyAnyMinute : eta.readyAround({ time }), detail: kitchen.driverNext };
}

/** Renders the progress bar, which the browser advances from `data-from` to `data-to`. */
function progressBar(tracked: TrackedOrder, now: Temporal.Instant): Html {
  const { order } = tracked;
  const confirmedEpochS = stepTime(tracked, 'order.confirmed');
  if (order.isReady || confirmedEpochS === undefined || isBeforeKitchenStart(order, now)) {
    return html`<progress max="100" value="${order.isReady ? 100 : 0}" aria-labelledby="driver-title"></progress>`;
  }
  const span = { fromEpochS: Math.max(confirmedEpochS, kitchenStartsEpochS(order) ?? 0), toEpochS: readyEpochS(order) };
  return html`<progress id="prepared" max="100" value="${preparedPercent(span, epochSeconds(now))}" data-from="${span.fromEpochS}" data-to="${span.toEpochS}" aria-labelledby="driver-title"></progress>`;
}

/** Returns when the page next changes without a step of the order; undefined if only a step changes it. */
export function changesAtEpochS(order: Order, now: Temporal.Instant): number | undefined {
  if (!isUnderWay(order)) return undefined;
  const moments = [
    order.offerAt ? epochSeconds(order.offerAt) : undefined,
    kitchenStartsEpochS(order),
    order.status === 'in_progress' && !order.isReady ? readyEpochS(order) : undefined,
    expectedTimeChangesEpochS(order, now),
    expectedTime(order, now).latestEpochS + LATE_AFTER_S,
  ];
  const toCome = moments.filter((at) => at !== undefined).filter((at) => at > epochSeconds(now));
  return toCome.length === 0 ? undefined : Math.min(...toCome);
}
