import { isYetToStart, kitchenStartsEpochS, quotedReadyEpochS } from '../deliveries/kitchen-times.ts';
import { type Html, html } from '../lib/html.ts';
import { epochSeconds } from '../lib/time.ts';
import type { Order } from '../orders/order.ts';
import { clockWords, zoneOf } from './clock-words.ts';
import { preparedPercent } from './minutes-left.ts';
import { type TrackedOrder, tookStepAt } from './tracked-order.ts';

const FOLLOW = 'Then a driver will bring it to you, and you can follow along here.';

/** How far the store is with a delivery that no driver has yet, in the place of the map. */
export function kitchenSection(tracked: TrackedOrder, now: Temporal.Instant): Html {
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
  if (isYetToStart(order, now)) return { title: startWords(order, now), detail: FOLLOW };
  if (order.status === 'awaiting_confirmation') {
    return { title: 'Not started yet', detail: `${store} will start once they confirm your order.` };
  }
  const readyEpochS = readyByEpochS(order);
  const isDue = readyEpochS <= epochSeconds(now);
  return {
    title: isDue ? 'Ready any minute now' : `Ready around ${clockWords(readyEpochS, now, zoneOf(order))}`,
    detail: FOLLOW,
  };
}

/** `Brick Oven starts around 5:25 PM`. */
export function startWords(order: Order, now: Temporal.Instant): string {
  const at = clockWords(kitchenStartsEpochS(order) ?? epochSeconds(now), now, zoneOf(order));
  return `${order.quote.store.name} starts around ${at}`;
}

/** The browser moves the bar on from `data-from` to `data-to`. */
function progressBar(tracked: TrackedOrder, now: Temporal.Instant): Html {
  const { order } = tracked;
  const confirmedEpochS = tookStepAt(tracked, 'order.confirmed');
  if (order.isReady || confirmedEpochS === undefined || isYetToStart(order, now)) {
    return html`<progress max="100" value="${order.isReady ? 100 : 0}" aria-labelledby="kitchen-title"></progress>`;
  }
  const span = {
    fromEpochS: Math.max(confirmedEpochS, kitchenStartsEpochS(order) ?? 0),
    toEpochS: readyByEpochS(order),
  };
  return html`<progress id="prepared" max="100" value="${preparedPercent(span, epochSeconds(now))}" data-from="${span.fromEpochS}" data-to="${span.toEpochS}" aria-labelledby="kitchen-title"></progress>`;
}

function readyByEpochS(order: Order): number {
  return order.readyBy ? epochSeconds(order.readyBy) : quotedReadyEpochS(order);
}

/** When the page next changes without a step of the order; undefined where only a step changes it. */
export function changesAtEpochS(order: Order, now: Temporal.Instant): number | undefined {
  if (order.status !== 'awaiting_confirmation' && order.status !== 'in_progress') return undefined;
  const moments = [
    order.offerAt ? epochSeconds(order.offerAt) : undefined,
    kitchenStartsEpochS(order),
    order.status === 'in_progress' && !order.isReady ? readyByEpochS(order) : undefined,
  ];
  const toCome = moments.filter((at) => at !== undefined).filter((at) => at > epochSeconds(now));
  return toCome.length === 0 ? undefined : Math.min(...toCome);
}
