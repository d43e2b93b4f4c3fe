import { type Html, html, toMarkup } from 'doorstep/html';
import { firstName } from 'doorstep/search-engine/text';
import { needsIdCheck } from '../../ordering/order/alcohol.ts';
import { doorOf } from '../../ordering/order/arrival.ts';
import { handoverLines, handoverOf } from '../../ordering/order/drop-off.ts';
import { type FulfilledItem, fulfilledItems } from '../../ordering/order/fulfilled-items.ts';
import { readyEpochS } from '../../ordering/order/kitchen-times.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import { orderZone } from '../../ordering/order/order-times.ts';
import { arrivalOf, chosenOptions, tipOf, unitCountOf } from '../../ordering/order/order-view.ts';
import { toCollectCents } from '../../ordering/order/reprice-order.ts';
import { amountInWords } from '../../ordering/order/wording.ts';
import type { DriverTips } from '../../ordering/statements/statements.db.ts';
import type { Language } from '../../platform/languages/language.ts';
import { dialUrl, phoneInWords } from '../../platform/lib/phone.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { readAddressLine } from '../../supply/stores/address-line.ts';
import { writeAddress, writeAddressLines, writeUnit } from '../../supply/stores/street-address.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { mapLink } from './map-attributes.ts';
import type { MapApp } from './map-link.ts';
import type { Position } from './position.ts';
import type { Proof } from './proofs.db.ts';

/** A delivery as its driver sees it. */
export type Delivery = {
  order: Order;
  proof: Proof | undefined;
  /** Tips of the driver's deliveries for this store, this one included. */
  tips: DriverTips;
  /** The store's pay for the driver's delivery; 0 if unset. */
  payCents: number;
};

/** Days, today included, whose tips the page adds up. */
export const TIP_DAYS = 30;

/** Settings of the driver's phone. */
export type PhoneSettings = { maps: MapApp; language: Language };

/** Returns the language of the phone, with the number formats of the store's country. */
export function driverLocale({ quote }: Order, { language }: PhoneSettings): Locale {
  return localeOf(language, quote.store.country);
}

export function driverParts(delivery: Delivery, phone: PhoneSettings): Record<DriverPart, Html> {
  const { order, tips, payCents } = delivery;
  const view: View = { order, tips, payCents, stage: stageOf(order), maps: phone.maps, ...driverLocale(order, phone) };
  return {
    now: nowSection(view),
    stops: stopsSection(view),
    proof: proofSection(view, delivery.proof),
    behind: behindSection(view),
    action: actionSection(view),
  };
}

type View = Locale & Pick<Delivery, 'order' | 'tips' | 'payCents'> & { stage: DriverStageShown; maps: MapApp };

export function driverState(delivery: Delivery, phone: PhoneSettings): DriverState {
  const parts = driverParts(delivery, phone);
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

/** Shows the current task with the driver's instructions. */
function nowSection(view: View): Html {
  const { title, detail } = headlineOf(view);
  return html`<section id="now" class="card now" aria-labelledby="headline">
<h1 id="headline">${title}</h1>
<p class="detail">${detail}</p>
${view.stage !== 'delivered' && factsOf(view)}
${tipFacts(view)}
</section>`;
}

function headlineOf({ order, stage, words, format }: View): { title: string; detail: string } {
  const { headline } = words.driver;
  const { name: store } = order.quote.store;
  const zone = orderZone(order);
  const customer = firstName(order.request.customer.name);
  // A scheduled order counts as ready in time for its slot, although its store may not have started.
  const readyAt = instantOfEpochSeconds(readyEpochS(order));
  const ready = order.isReady ? headline.isReady : headline.readyAround({ time: format.time(readyAt, zone) });
  switch (stage) {
    case 'assigned':
      return { title: headline.assigned, detail: `${headline.route({ store, customer })} ${ready}` };
    case 'accepted':
      return { title: headline.accepted({ store }), detail: ready };
    case 'picked_up':
      return {
        title: headline.pickedUp({ customer }),
        detail: headline.thereBy({ time: format.time(arrivalOf(order), zone) }),
      };
    case 'nearby':
      return { title: headline.nearby, detail: headline.knowsYouAreNear({ customer }) };
    case 'delivered':
      return { title: headline.delivered, detail: headline.thanks };
  }
}

/** Shows no amount of the order except the driver's amount to collect. */
function factsOf({ order, words: { driver }, format }: View): Html {
  const { facts } = driver;
  const toCollect = toCollectCents(order);
  const collect = order.moneyPlan === 'collected' ? facts.collectCash : facts.collect;
  const payment = toCollect === null ? facts.prepaid : collect({ amount: format.money(toCollect) });
  return html`<dl class="facts">
<div><dt>${facts.order}</dt><dd>${shownOrderNumber(order)}</dd></div>
<div><dt>${facts.items}</dt><dd>${format.number(unitCountOf(order))}</dd></div>
<div${toCollect !== null && html` class="warn"`}><dt>${facts.payment}</dt><dd>${payment}</dd></div>
${needsIdCheck(order) && html`<div class="warn"><dt>${facts.alcohol}</dt><dd>${facts.checkId}</dd></div>`}
</dl>`;
}

/** Shows the driver's tip and pay, and the driver's total tips. */
function tipFacts({ order, tips, payCents, words: { driver }, format }: View): Html {
  const { facts } = driver;
  return html`<dl class="facts">
<div><dt>${facts.tip}</dt><dd>${format.money(tipOf(order))}</dd></div>
${payCents > 0 && html`<div><dt>${facts.pay}</dt><dd>${format.money(payCents)}</dd></div>`}
<div><dt>${facts.tipsToday}</dt><dd>${format.money(tips.dayCents)}</dd></div>
<div><dt>${facts.tipsOfDays({ days: TIP_DAYS })}</dt><dd>${format.money(tips.sinceCents)}</dd></div>
</dl>`;
}

/** Shows the next stop, and before pick-up the stop after it. */
function stopsSection(view: View): Html {
  if (view.stage === 'delivered') return html`<div id="stops" hidden></div>`;
  if (isCarrying(view.stage)) return html`<div id="stops">${doorCard(view)}</div>`;
  return html`<div id="stops">${storeCard(view)}${view.stage === 'accepted' && bagCard(view)}${doorCard(view)}</div>`;
}

/** Shows the contents of the bag as a checklist for pick-up. Check marks stay on the phone. */
function bagCard(view: View): Html {
  const { order, words } = view;
  const { driver } = words;
  const items = fulfilledItems(order).filter(({ quantity }) => quantity > 0);
  return html`<section class="card bag" aria-labelledby="bag-title">
<h2 id="bag-title">${driver.stop.bag}</h2>
<ul>${items.map((item) => bagItem(item, view))}</ul>
</section>`;
}

function bagItem(item: FulfilledItem, locale: Locale): Html {
  const { option } = locale.words.store.terms;
  // `Size: 18 inch`, `Toppings: Olives × 2`.
  const choices = chosenOptions(item.customizations)
    .map(({ customization, name, quantity }) =>
      option({ customization, choice: quantity > 1 ? `${name} × ${quantity}` : name }),
    )
    .join(', ');
  return html`<li><label class="check"><input type="checkbox"><span><strong>${amountInWords(item, locale)}</strong> ${item.name}${
    choices !== '' && html`<small>${choices}</small>`
  }</span></label></li>`;
}

/** Shows the store, after pick-up, in case the driver must call it. */
function behindSection(view: View): Html {
  return isCarrying(view.stage)
    ? html`<div id="behind">${storeCard(view)}</div>`
    : html`<div id="behind" hidden></div>`;
}

function storeCard(view: View): Html {
  const { store } = view.order.quote;
  const address = writeAddress(readAddressLine(store.address));
  return html`<section class="card stop" aria-labelledby="store-name">
<h2>${view.words.driver.stop.pickup}</h2>
<h3 id="store-name">${store.name}</h3>
<p>${address}</p>
${stopLinks(view, { id: 'store', name: store.name, place: store, phone: store.phoneNumber, extension: store.phoneExtension })}
</section>`;
}

function doorCard(view: View): Html {
  const { customer } = view.order.request;
  const { stop } = view.words.driver;
  const name = firstName(customer.name) || stop.customer;
  const instructions = handoverLines(handoverOf(view.order), view.words.customer.dropOff);
  return html`<section class="card stop" aria-labelledby="door-name">
<h2>${stop.dropoff}</h2>
<h3 id="door-name">${name}</h3>
${writeAddressLines({ ...customer, aptNum: writeUnit(customer.aptNum, stop.apartment) }).map((line) => html`<p>${line}</p>`)}
${instructions.map((line) => html`<p class="notes"><span class="unseen">${stop.note} </span>${line}</p>`)}
${stopLinks(view, { id: 'door', name, place: doorOf(view.order), phone: customer.phone, extension: customer.phoneExtension })}
</section>`;
}

type Stop = {
  id: string;
  name: string;
  place: Position | undefined;
  phone: number | null;
  extension: string | undefined;
};

function stopLinks({ maps, words: { driver } }: View, { id, name, place, phone, extension }: Stop): Html {
  const { stop } = driver;
  return html`<p class="pair">${
    place &&
    html`<a id="map-${id}" class="action" ${mapLink(maps, place)} aria-label="${stop.mapTo({ name })}">${stop.map}</a>`
  }${
    phone !== null &&
    html`<a id="call-${id}" class="action" href="${dialUrl(phone)}" aria-label="${stop.callTo({ name, phone: phoneInWords(phone, extension) })}">${stop.call}${extension && ` · ext. ${extension}`}</a>`
  }</p>`;
}

/** Shows the photo and ID check, once the driver has the order. */
function proofSection({ order, stage, words: { driver } }: View, saved: Proof | undefined): Html {
  if (!isCarrying(stage)) return html`<div id="proof" hidden></div>`;
  const { proof } = driver;
  const code = html`<label class="beside">${proof.code}<input id="handover-code" inputmode="numeric" autocomplete="off" required minlength="4" maxlength="4"></label>`;
  const toCollect = toCollectCents(order);
  const collected = html`<label class="beside">${proof.collected}<input id="collected" inputmode="decimal" autocomplete="off" required pattern="[$]? *[0-9]{1,6}([.,][0-9]{1,2})? *[$]?" maxlength="10" value="${((toCollect ?? 0) / 100).toFixed(2)}"></label>`;
  const id = html`<label class="check"><input id="id-checked" type="checkbox" required><span>${proof.idChecked}</span></label>`;
  return html`<section id="proof" class="card" aria-labelledby="proof-title">
<h2 id="proof-title">${proof.atTheDoor}</h2>
${needsIdCheck(order) && id}
${order.handoverCode !== null && code}
${toCollect !== null && collected}
<label class="photo-button"><input id="photo" type="file" accept="image/*" capture="environment"><span>${
    saved?.hasPhoto ? proof.takeAnother : proof.takePhoto
  }</span></label>
${saved?.hasPhoto && html`<p class="kept">${proof.photoSaved}</p>`}
</section>`;
}

/** Shows the next step, as one large button. */
function actionSection({ stage, words: { driver } }: View): Html {
  const button = (step: string, label: string) =>
    html`<div id="action"><button id="step" type="button" data-step="${step}">${label}</button></div>`;
  if (stage === 'delivered') return html`<div id="action" hidden></div>`;
  if (stage === 'assigned') return button('accept', driver.step.accept);
  return stage === 'accepted' ? button('pick_up', driver.step.pickUp) : button('complete', driver.step.complete);
}

/** The parts of the driver's page that change, by element id. */
export type DriverPart = 'now' | 'stops' | 'proof' | 'behind' | 'action';
export type DriverStageShown = 'assigned' | 'accepted' | 'picked_up' | 'nearby' | 'delivered';

/** State of the driver's page for its script. The parts are markup. */
export type DriverState = { stage: DriverStageShown; parts: Record<DriverPart, string> };
