import { MINUTES_PER_DAY } from '../../stores/hours.ts';
import { countryByName } from '../../stores/time-zone.ts';
import type { ReadOsmHours } from '../feed/feed-fields.ts';
import type { ParsedStoreLine } from '../feed/parse-store-line.ts';
import { createSourceNotes, feedId } from '../source-notes.ts';
import { deliveryZonesOf } from './delivery-zones.ts';
import { asList, toText } from './entity.ts';
import { type GoogleServiceFee, googleFees, readServiceFees } from './fee-value.ts';
import { imageOf } from './item-value.ts';
import { googleCategories, servicesOf } from './menu-value.ts';
import { hoursFieldsOf, isAdvance, type OfferedService } from './service-hours.ts';
import {
  createRestaurantContext,
  decimalProperty,
  entityValue,
  firstText,
  type RestaurantContext,
  type StoreGraph,
  wholeProperty,
} from './store-graph.ts';

/** A restaurant of the relational feed as a store line, by the rules of docs/feeds.md. */
export function readRestaurant(graph: StoreGraph, readOsmHours: ReadOsmHours): ParsedStoreLine {
  const { restaurant } = graph;
  const notes = createSourceNotes();
  const context = createRestaurantContext(graph, notes);
  const text = (key: string) => firstText(restaurant, key);
  const image = imageOf(restaurant);
  const line = notes.from(restaurant.label, {
    external_id: feedId(restaurant.id),
    name: text('name'),
    type: 'restaurant',
    phone: text('telephone'),
    description: text('description'),
    address: {
      street_addr: text('streetAddress'),
      city: text('addressLocality'),
      state: text('addressRegion'),
      zipcode: text('postalCode'),
      // An unknown country is kept, so that the line's parser refuses it.
      country: countryByName(text('addressCountry')) ?? text('addressCountry'),
    },
    latitude: decimalProperty(restaurant, 'latitude'),
    longitude: decimalProperty(restaurant, 'longitude'),
    cuisines: asList(entityValue(restaurant, 'servesCuisine')).map(toText),
    photos: image === undefined ? {} : { store: [image] },
    ...serviceFieldsOf(context),
    categories: googleCategories(context),
  });
  return notes.parse(line, readOsmHours);
}

const DEFAULT_PREP_MINUTES = 20;

/** The line's fields that depend on a restaurant's services: modes, hours, fees, slots. */
function serviceFieldsOf(context: RestaurantContext): object {
  const services = servicesOf(context).map((one) => ({
    ...one,
    hours: context.graph.below(one.service, 'ServiceHours'),
  }));
  const fees = readServiceFees(context, services);
  const delivery = services.filter(({ mode }) => mode === 'delivery');
  const pickup = services.filter(({ mode }) => mode === 'pickup');
  return {
    ...hoursFieldsOf(context, services),
    // Without services the modes are unknown, and the feed's default applies.
    ...(services.length === 0
      ? {}
      : {
          pickup: { enabled: pickup.length > 0, ...prepOf(context, pickup) },
          delivery: { enabled: delivery.length > 0, ...prepOf(context, delivery), ...areasOf(context, delivery, fees) },
        }),
    fees: googleFees(context, fees),
    ...schedulingOf(context, services),
  };
}

/** Minimum and maximum lead time in minutes. */
function prepOf(context: RestaurantContext, services: readonly OfferedService[]): object {
  const hours = services.flatMap((service) => service.hours).filter((one) => !isAdvance(one));
  const least = hours.flatMap((one) => wholeProperty(context, one, ['leadTimeMin']) ?? []);
  const most = hours.flatMap((one) => wholeProperty(context, one, ['leadTimeMax']) ?? []);
  if (least.length + most.length === 0) return {};
  const from = least.reduce((a, b) => Math.min(a, b), most[0] ?? DEFAULT_PREP_MINUTES);
  return { prep_minutes: [from, [...least, ...most].reduce((a, b) => Math.max(a, b), from)] };
}

/**
 * Where the services deliver. If there are several, each has its own minutes; hours and service fees are the store's.
 */
function areasOf(
  context: RestaurantContext,
  services: readonly OfferedService[],
  fees: readonly GoogleServiceFee[],
): object {
  for (const { service } of services.slice(1)) {
    const message = 'expected one delivery service; its hours and service fees count for all of them';
    context.notes.warn(service.label, '', message);
  }
  const areMany = services.length > 1;
  return deliveryZonesOf(
    context,
    services.map((one) => ({ service: one.service, minutes: areMany ? prepOf(context, [one]) : {} })),
    fees,
  );
}

/** The scheduling settings, if a service takes advance orders. */
function schedulingOf(context: RestaurantContext, services: readonly OfferedService[]): object {
  const hours = services.flatMap((service) => service.hours).find(isAdvance);
  if (!hours) return {};
  const lead = wholeProperty(context, hours, ['advanceBookingRequirementMin']);
  const ahead = wholeProperty(context, hours, ['advanceBookingRequirementMax']);
  const slot = slotMinutes(entityValue(hours, 'advanceBookingSlotInterval'));
  return {
    scheduling: context.notes.from(hours.label, {
      enabled: true,
      ...(lead === undefined ? {} : { lead_minutes: lead }),
      ...(ahead === undefined ? {} : { days_ahead: Math.min(365, Math.floor(ahead / MINUTES_PER_DAY)) }),
      ...(slot === null ? {} : { slot_minutes: slot }),
    }),
  };
}

/** Minutes, or an ISO 8601 duration of hours and minutes such as `PT15M`. */
function slotMinutes(value: unknown): number | null {
  const match = /^(?:PT)?(?:(\d{1,2})H)?(?:(\d{1,4})M?)?$/i.exec(
    typeof value === 'number' ? String(value) : String(value ?? ''),
  );
  const minutes = Number(match?.[1] ?? 0) * 60 + Number(match?.[2] ?? 0);
  return minutes > 0 ? minutes : null;
}
