import { formatHours } from '../../src/supply/stores/format-hours.ts';
import { type WeeklyHours, weeklyHours } from '../../src/supply/stores/hours.ts';
import { readHours } from '../../src/supply/stores/read-hours.ts';
import type { BodyOf } from './api.ts';

/** An operator's entries for a store, as texts of a form; the line of a feed that they mean, and back. */

/** Right for a restaurant that brings its own orders; an empty tax is its state's. */
export const NEW_STORE = {
  name: '',
  type: 'restaurant',
  phone: '',
  street_addr: '',
  street_addr_2: '',
  city: '',
  state: '',
  zipcode: '',
  country: 'US',
  latitude: '',
  longitude: '',
  hours: '',
  week: weeklyHours(() => [{ startMinute: 11 * 60, endMinute: 21 * 60 }]),
  minutes_from: '15',
  minutes_to: '25',
  pickup: 'on',
  delivery: 'first',
  radius_miles: '3',
  delivery_fee: '2.99',
  order_minimum: '10.00',
  service_fee_percent: '0',
  sales_tax_percent: '',
  scheduling: '',
};

export type StoreField = Exclude<keyof typeof NEW_STORE, 'week'>;
/** `hours` is in the syntax of OpenStreetMap; while it is empty, `week` applies. */
export type StoreTexts = Readonly<Record<StoreField, string>> & { readonly week: WeeklyHours };

type Part = Readonly<Record<string, unknown>>;
type Line = BodyOf<'POST /operator/stores'>;

const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? { ...value } : {});
const centsOf = (dollars: string): number => Math.round(Number(dollars) * 100);
const dollarsOf = (cents: unknown): string => (typeof cents === 'number' ? (cents / 100).toFixed(2) : '0.00');
const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** The line; `before` keeps fields that the form does not show, such as fees by subtotal. */
export function lineOfTexts(texts: StoreTexts, before?: Line): Line {
  const minutes = [Number(texts.minutes_from), Number(texts.minutes_to)];
  const [pickup, delivery, fees] = [partOf(before?.pickup), partOf(before?.delivery), partOf(before?.fees)];
  const scheduling = { ...partOf(before?.scheduling), enabled: texts.scheduling === 'on' };
  const hasDelivery = texts.delivery !== '';
  const { sales_tax_percent: _tax, ...otherFees } = fees;
  const tax = texts.sales_tax_percent === '' ? {} : { sales_tax_percent: Number(texts.sales_tax_percent) };
  return {
    ...before,
    name: texts.name,
    type: texts.type === 'grocery' ? 'grocery' : 'restaurant',
    phone: texts.phone,
    address: {
      street_addr: texts.street_addr,
      street_addr_2: texts.street_addr_2,
      city: texts.city,
      state: texts.state,
      zipcode: texts.zipcode,
      country: texts.country === 'CA' ? 'CA' : 'US',
    },
    latitude: Number(texts.latitude),
    longitude: Number(texts.longitude),
    hours: { ...partOf(before?.hours), operational: texts.hours === '' ? formatHours(texts.week) : texts.hours },
    ...(scheduling.enabled || before?.scheduling ? { scheduling } : {}),
    pickup: { ...pickup, enabled: texts.pickup === 'on', prep_minutes: minutes },
    delivery: hasDelivery
      ? {
          ...delivery,
          enabled: true,
          party: texts.delivery,
          radius_miles: Number(texts.radius_miles),
          prep_minutes: minutes,
        }
      : { ...delivery, enabled: false },
    fees: {
      ...otherFees,
      ...tax,
      order_minimum: centsOf(texts.order_minimum),
      delivery_fee: { ...partOf(fees.delivery_fee), delivery_fee_flat: centsOf(texts.delivery_fee) },
      service_fee: { ...partOf(fees.service_fee), service_fee_percent: Number(texts.service_fee_percent) },
    },
  };
}

export function textsOfLine(line: Line): StoreTexts {
  const { address, name, type, phone = '', latitude, longitude } = line;
  const [pickup, delivery, fees] = [partOf(line.pickup), partOf(line.delivery), partOf(line.fees)];
  const { operational } = partOf(line.hours);
  const week = typeof operational === 'object' ? readHours(operational) : undefined;
  const minutes = Array.isArray(pickup.prep_minutes) ? pickup.prep_minutes : [];
  return {
    ...NEW_STORE,
    ...address,
    street_addr_2: textOf(address.street_addr_2),
    name,
    type,
    phone,
    latitude: String(latitude),
    longitude: String(longitude),
    hours: week?.ok ? '' : textOf(operational),
    week: week?.ok ? week.hours : NEW_STORE.week,
    minutes_from: textOf(minutes[0] ?? NEW_STORE.minutes_from),
    minutes_to: textOf(minutes[1] ?? NEW_STORE.minutes_to),
    pickup: pickup.enabled === true ? 'on' : '',
    delivery: delivery.enabled === true ? textOf(delivery.party ?? 'first') : '',
    radius_miles: textOf(delivery.radius_miles ?? NEW_STORE.radius_miles),
    delivery_fee: dollarsOf(partOf(fees.delivery_fee).delivery_fee_flat),
    order_minimum: dollarsOf(fees.order_minimum),
    service_fee_percent: textOf(partOf(fees.service_fee).service_fee_percent ?? 0),
    sales_tax_percent: textOf(fees.sales_tax_percent),
    scheduling: partOf(line.scheduling).enabled === true ? 'on' : '',
  };
}
