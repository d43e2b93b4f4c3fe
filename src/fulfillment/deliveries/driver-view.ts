import { type FulfilledItem, fulfilledItems } from '../../ordering/orders/adjustments/item-adjustment.ts';
import { type Customer, type Order, shownOrderNumber } from '../../ordering/orders/order.ts';
import { arrivalOf, chosenOptions, unitCountOf } from '../../ordering/orders/order-view.ts';
import { type Html, html, toMarkup } from '../../platform/lib/html.ts';
import { e164Of, phoneInWords } from '../../platform/lib/phone.ts';
import { firstName } from '../../platform/lib/text/normalize-text.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { splitStreet } from '../../supply/pricing/street.ts';
import { formatEta } from '../../supply/stores/time-estimate.ts';
import { doorOf } from './driver-location.ts';
import { readyEpochS } from './kitchen-times.ts';
import type { Position } from './position.ts';
import { needsIdCheck } from './proof.ts';
import type { Proof } from './proofs.db.ts';

/** A delivery as its driver sees it. */
export type Delivery = { order: Order; proof: Proof | undefined };

export function driverParts(delivery: Delivery, maps: MapApp): Record<DriverPart, Html> {
  const stage = stageOf(delivery.order);
  return {
    now: nowSection(delivery.order, stage),
    stops: stopsSection(delivery.order, stage, maps),
    proof: proofSection(delivery, stage),
    behind: behindSection(delivery.order, stage, maps),
    action: actionSection(stage),
  };
}

export function driverState(delivery: Delivery, maps: MapApp): DriverState {
  const parts = driverParts(delivery, maps);
  return {
    stage: stageOf(delivery.order),
    parts: {
      now: toMarkup(parts.now),
      stops: toMarkup(parts.stops),
      proof: toMarkup(parts.proof),
      behind: toMarkup(parts.behind),
      action: toMarkup(parts.action),
    },
  };
}

export function stageOf({ status, driverStage, driver }: Order): DriverStageShown {
  if (status === 'completed') return 'delivered';
  if (driverStage === 'picked_up' || driverStage === 'nearby') return driverStage;
  return driver.acceptedEpochS === undefined ? 'assigned' : 'accepted';
}

const isCarrying = (stage: DriverStageShown) => stage === 'picked_up' || stage === 'nearby';

/** What to do now, and what must be known of the order. */
function nowSection(order: Order, stage: DriverStageShown): Html {
  const { title, detail } = headlineOf(order, stage);
  return html`<section id="now" class="card now" aria-labelledby="headline">
<h1 id="headline">${title}</h1>
<p class="detail">${detail}</p>
${stage !== 'delivered' && factsOf(order)}
</section>`;
}

function headlineOf(order: Order, stage: DriverStageShown): { title: string; detail: string } {
  const store = order.quote.store.name;
  const customer = firstName(order.request.customer.name) || 'the customer';
  const ready = order.isReady ? 'The order is ready.' : `It should be ready around ${readyTimeOf(order)}.`;
  switch (stage) {
    case 'assigned':
      return { title: 'A delivery for you', detail: `From ${store} to ${customer}. ${ready}` };
    case 'accepted':
      return { title: `Pick up at ${store}`, detail: ready };
    case 'picked_up':
      return { title: `Bring it to ${customer}`, detail: `Expected at the door by ${expectedOf(order)}.` };
    case 'nearby':
      return { title: 'Almost there', detail: `${customer} knows that you are near.` };
    case 'delivered':
      return { title: 'Delivered', detail: 'Thank you. You can close this page.' };
  }
}

/** `6:45 PM` on the store's clock. */
function expectedOf(order: Order): string {
  return timeInWords(arrivalOf(order), order.quote);
}

/** A scheduled order is ready when its slot needs it: its store may not have begun. */
function readyTimeOf(order: Order): string {
  return timeInWords(instantOfEpochSeconds(readyEpochS(order)), order.quote);
}

function timeInWords(at: Temporal.Instant, { store }: Order['quote']): string {
  return formatEta(at, store.timeZone).replace(/^0/, '');
}

/** No amounts: every order is paid when it is placed. */
function factsOf(order: Order): Html {
  const count = unitCountOf(order);
  return html`<dl class="facts">
<div><dt>Order</dt><dd>${shownOrderNumber(order)}</dd></div>
<div><dt>Items</dt><dd>${count}</dd></div>
<div><dt>Payment</dt><dd>Paid: take no money</dd></div>
${needsIdCheck(order) && html`<div class="warn"><dt>Alcohol</dt><dd>See an ID at the door</dd></div>`}
</dl>`;
}

/** The next stop, and before pick-up the stop after it. */
function stopsSection(order: Order, stage: DriverStageShown, maps: MapApp): Html {
  if (stage === 'delivered') return html`<div id="stops" hidden></div>`;
  if (isCarrying(stage)) return html`<div id="stops">${doorCard(order, maps)}</div>`;
  return html`<div id="stops">${storeCard(order, maps)}${stage === 'accepted' && bagCard(order)}${doorCard(order, maps)}</div>`;
}

/** What is in the bag, to be ticked off at the store: a tick stays on the phone. */
function bagCard(order: Order): Html {
  const items = fulfilledItems(order).filter(({ quantity }) => quantity > 0);
  return html`<section class="card bag" aria-labelledby="bag-title">
<h2 id="bag-title">Check the bag</h2>
<ul>${items.map(bagItem)}</ul>
</section>`;
}

function bagItem({ name, quantity, customizations }: FulfilledItem): Html {
  // `18 inch`, `Olives × 2`.
  const choices = chosenOptions(customizations)
    .map(({ name, quantity }) => (quantity > 1 ? `${name} × ${quantity}` : name))
    .join(', ');
  return html`<li><label class="check"><input type="checkbox"><span><strong>${quantity} ×</strong> ${name}${
    choices !== '' && html`<small>${choices}</small>`
  }</span></label></li>`;
}

/** The store after pick-up: a driver may have to call it. */
function behindSection(order: Order, stage: DriverStageShown, maps: MapApp): Html {
  return isCarrying(stage)
    ? html`<div id="behind">${storeCard(order, maps)}</div>`
    : html`<div id="behind" hidden></div>`;
}

function storeCard({ quote: { store } }: Order, maps: MapApp): Html {
  const address = store.address.replace(/,\s*(US|CA)$/, '');
  return html`<section class="card stop" aria-labelledby="store-name">
<h2>Pick-up</h2>
<h3 id="store-name">${store.name}</h3>
<p>${address}</p>
${stopLinks({ id: 'store', name: store.name, place: store, phone: store.phoneNumber }, maps)}
</section>`;
}

function doorCard(order: Order, maps: MapApp): Html {
  const { customer } = order.request;
  const name = firstName(customer.name) || 'Customer';
  const { dropoffNotes } = customer;
  return html`<section class="card stop" aria-labelledby="door-name">
<h2>Drop-off</h2>
<h3 id="door-name">${name}</h3>
${doorLines(customer).map((line) => html`<p>${line}</p>`)}
${dropoffNotes !== '' && html`<p class="notes"><span class="unseen">Note: </span>${dropoffNotes}</p>`}
${stopLinks({ id: 'door', name, place: doorOf(order), phone: customer.phone }, maps)}
</section>`;
}

/** The whole address: the driver needs the house number. */
function doorLines({ streetNum, streetName, aptNum, city, state, zipcode }: Customer): string[] {
  const street = splitStreet(streetName);
  const line = [streetNum || street.streetNum, street.streetName].filter((part) => part !== '').join(' ');
  const town = [city, [state, zipcode].filter((part) => part !== '').join(' ')]
    .filter((part) => part !== '')
    .join(', ');
  return [line, aptNum && `Apartment ${aptNum}`, town].filter((part) => part !== '');
}

type Stop = { id: string; name: string; place: Position | undefined; phone: number | null };

/** A map website opens in a new tab, so that this page keeps sharing the position. */
function stopLinks({ id, name, place, phone }: Stop, maps: MapApp): Html {
  const beside = maps === 'google' && html` target="_blank" rel="noopener noreferrer"`;
  return html`<p class="links">${
    place &&
    html`<a id="map-${id}" class="link" href="${mapLink(maps, place)}"${beside} aria-label="Map to ${name}">Map</a>`
  }${
    phone !== null &&
    html`<a id="call-${id}" class="link" href="tel:${e164Of(phone)}" aria-label="Call ${name}, ${phoneInWords(phone)}">Call</a>`
  }</p>`;
}

/** The photo and the check of an ID, once the driver has the order. */
function proofSection({ order, proof }: Delivery, stage: DriverStageShown): Html {
  if (!isCarrying(stage)) return html`<section id="proof" hidden></section>`;
  const id = html`<label class="check"><input id="id-checked" type="checkbox"><span>I have seen an ID: the customer is of age</span></label>`;
  return html`<section id="proof" class="card" aria-labelledby="proof-title">
<h2 id="proof-title">At the door</h2>
${needsIdCheck(order) && id}
<label class="photo"><input id="photo" type="file" accept="image/*" capture="environment"><span>${
    proof?.hasPhoto ? 'Take another photo' : 'Take a photo (optional)'
  }</span></label>
${proof?.hasPhoto && html`<p class="kept">The photo is saved.</p>`}
</section>`;
}

const STEPS = {
  assigned: { step: 'accept', label: 'Accept' },
  accepted: { step: 'pick_up', label: 'I have picked it up' },
  picked_up: { step: 'complete', label: 'Delivered' },
  nearby: { step: 'complete', label: 'Delivered' },
} as const;

/** The next step, as one large button. */
function actionSection(stage: DriverStageShown): Html {
  if (stage === 'delivered') return html`<div id="action" hidden></div>`;
  const { step, label } = STEPS[stage];
  return html`<div id="action"><button id="step" type="button" data-step="${step}">${label}</button></div>`;
}

/** The app that opens a place on the phone: Apple Maps on Apple's devices, any app for `geo:` on Android, else Google Maps. */
export type MapApp = 'apple' | 'geo' | 'google';

/** By the `User-Agent` of a browser. An iPad calls itself a Macintosh. */
export function mapAppOf(userAgent: string | undefined): MapApp {
  if (userAgent === undefined) return 'google';
  if (/iPhone|iPad|iPod|Macintosh/.test(userAgent)) return 'apple';
  return userAgent.includes('Android') ? 'geo' : 'google';
}

/** The way to a place. `geo:` is RFC 5870. */
function mapLink(app: MapApp, { latitude, longitude }: Position): string {
  const at = `${latitude},${longitude}`;
  switch (app) {
    case 'apple':
      return `https://maps.apple.com/?daddr=${at}&dirflg=d`;
    case 'geo':
      return `geo:${at}?q=${at}`;
    case 'google':
      return `https://www.google.com/maps/dir/?api=1&destination=${at}`;
  }
}

/** The parts of the driver's page that change, by the ids of their elements. */
export type DriverPart = 'now' | 'stops' | 'proof' | 'behind' | 'action';
export type DriverStageShown = 'assigned' | 'accepted' | 'picked_up' | 'nearby' | 'delivered';

/** What the driver's page shows, as its script gets it: the parts are markup. */
export type DriverState = { stage: DriverStageShown; parts: Record<DriverPart, string> };
