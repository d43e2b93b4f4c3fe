import { milesBetween } from 'doorstep/search-engine/geography';
import { minAgeOf } from '../../../ordering/order/alcohol.ts';
import { doorOf } from '../../../ordering/order/arrival.ts';
import { fulfilledItems } from '../../../ordering/order/fulfilled-items.ts';
import { type Order, shownOrderNumber } from '../../../ordering/order/order.ts';
import { tipOf } from '../../../ordering/order/order-view.ts';
import { repriceOrder } from '../../../ordering/order/reprice-order.ts';
import { e164Of } from '../../../platform/lib/phone.ts';
import type { Country, Store } from '../../../supply/stores/store.ts';
import { partsOfStore, type StreetAddress, writeAddress, writeStreet } from '../../../supply/stores/street-address.ts';
import { travelMinutes } from '../../../supply/stores/time-estimate.ts';
import { localeOf } from '../../../texts/catalogs.ts';
import type { CourierDelivery } from './courier-delivery.ts';
import type { AddressParts, CourierJob, CourierStop } from './courier-gateway.ts';

type StoreAddress = Pick<Store, 'address'> | undefined;

export function courierJobOf(
  order: Order,
  { key, readyAt, tipCents }: Pick<CourierDelivery, 'key' | 'readyAt' | 'tipCents'>,
  store: StoreAddress,
): CourierJob {
  const { quote, request } = order;
  return {
    key,
    readyAt,
    reference: shownOrderNumber(order),
    pickup: pickupOf(order, store),
    dropoff: dropoffOf(order),
    items: fulfilledItems(order).flatMap(({ name, quantity }) => (quantity > 0 ? [{ name, quantity }] : [])),
    valueCents: repriceOrder(order).subtotalCents,
    // A repeated request has the tip of the first.
    tipCents: tipCents ?? tipOf(order),
    currency: quote.store.country === 'CA' ? 'cad' : 'usd',
    where: request.customer.dropOff?.where ?? null,
    minAge: minAgeOf(order),
  };
}

/** Returns when the order is ready, from `now` on: as the store confirmed, otherwise the arrival minus the trip. */
export function readyAtOf(order: Order, now: Temporal.Instant): Temporal.Instant {
  const readyAt = order.readyBy ?? leavesAtOf(order) ?? now;
  return Temporal.Instant.compare(readyAt, now) > 0 ? readyAt : now;
}

function leavesAtOf(order: Order): Temporal.Instant | undefined {
  const door = doorOf(order);
  if (order.eta === null || door === undefined) return undefined;
  return order.eta.subtract({ minutes: travelMinutes(milesBetween(order.quote.store, door)) });
}

function pickupOf({ quote, request }: Order, store: StoreAddress): CourierStop {
  const { name, phoneNumber, phoneExtension, address, latitude, longitude } = quote.store;
  const parts = store && courierParts(partsOfStore(store.address), store.address.country);
  const { dropOff, pickupNotes } = request.customer;
  const utensils = dropOff ? [dropOff.utensils ? SAYS.utensils : SAYS.noUtensils] : [];
  const notes = joinNotes([...utensils, extensionNote(phoneExtension), pickupNotes]);
  return { name, phone: phoneNumber, address: { text: address, parts, latitude, longitude }, notes };
}

function courierParts(address: StreetAddress, country: Country): AddressParts {
  const { aptNum, city, state, zipcode } = address;
  const lines = [writeStreet(address), aptNum].filter((line) => line !== '');
  return { lines, city, state, postalCode: zipcode, country };
}

const joinNotes = (parts: readonly string[]) => parts.filter((part) => part !== '').join('. ');

/** Companies' calls take no extension. */
const extensionNote = (extension = '') => (extension === '' ? '' : `Phone ext. ${extension}`);

/** Couriers read English. */
const SAYS = localeOf('en', 'US').words.customer.dropOff;

function dropoffOf({ quote, request }: Order): CourierStop {
  const { customer } = request;
  const { name, phone, phoneExtension, dropOff, dropoffNotes, latitude, longitude } = customer;
  return {
    name: name || 'Customer',
    phone,
    notes: joinNotes([dropOff ? SAYS.where[dropOff.where] : '', extensionNote(phoneExtension), dropoffNotes]),
    address: {
      text: writeAddress(customer),
      parts: courierParts(customer, quote.store.country),
      latitude: latitude ?? quote.store.latitude,
      longitude: longitude ?? quote.store.longitude,
    },
  };
}

/** Notes with the current name, apartment and phone, because companies accept changes of these only in the notes. */
export function changedNotes({ name, phone, notes, address }: CourierStop, { hasPhone }: { hasPhone: boolean }) {
  const rooms = address.parts?.lines.slice(1) ?? [];
  const call = hasPhone && phone !== null ? [e164Of(phone)] : [];
  return joinNotes([`For ${name}`, ...rooms, ...call, notes]);
}
