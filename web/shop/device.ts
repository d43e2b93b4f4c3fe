import { NO_ADDRESS, type StreetAddress } from '../../src/supply/stores/street-address.ts';
import { PLACE_COOKIE } from '../../src/surfaces/shop/shop-visit.ts';
import type { Near } from './boot.ts';

/** The time zone of the device, alongside a store's or order's. */
export const DEVICE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Data that the shop keeps on the device: the visitor's place, delivery or pickup, and the orders. Without storage, the
 * shop works and keeps nothing beyond the page.
 */

export type DeviceSettings = { place: Near | null; pickup: boolean | null };
/** An order of this device. Its key shows it, and lets the customer change it. */
export type KeptOrder = { orderId: string; key: string; storeId: string; storeName: string; savedAtEpochS: number };

/** A kept value: its name, and the check of a value. */
export type Kept<Value> = { name: string; isValue: (value: unknown) => value is Value };

/** Where the visitor is, as another tab may change it. */
export const KEPT_SETTINGS: Kept<DeviceSettings> = { name: 'settings', isValue: isSettings };
export const NO_SETTINGS: DeviceSettings = { place: null, pickup: null };
const KEPT_ORDERS: Kept<readonly KeptOrder[]> = { name: 'orders', isValue: isOrders };

let prefix = 'doorstep.shop.';
let cookiePath: string | undefined;
/** Separates the kept data of several accounts' shops on one host; `base` is the path of the shop. */
export const keepApart = (base: string) => {
  cookiePath = base || '/';
  const [, account] = /\/shops\/([^/]+)$/.exec(base) ?? [];
  if (account) prefix += `${account}.`;
};
let storage = () => localStorage;
/** Keeps nothing beyond the tab: on a store's tablet, one customer after another. */
export const keepInTab = () => {
  storage = () => sessionStorage;
};
const MAX_ORDERS = 50;

export function readKept<Value>({ name, isValue }: Kept<Value>): Value | undefined {
  try {
    const value: unknown = JSON.parse(storage().getItem(prefix + name) ?? 'null');
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value; undefined removes it. */
export function keep<Value>({ name }: Kept<Value>, value: Value | undefined): void {
  try {
    if (value === undefined) storage().removeItem(prefix + name);
    else storage().setItem(prefix + name, JSON.stringify(value));
    if (cookiePath !== undefined && isSettings(value)) {
      const seconds = value.place === null ? 0 : 31_536_000;
      // biome-ignore lint/suspicious/noDocumentCookie: the other way is asynchronous, and missing from browsers in use
      document.cookie = `${PLACE_COOKIE}=1; path=${cookiePath}; max-age=${seconds}; samesite=lax`;
    }
  } catch {
    // Ignored: a full or forbidden storage keeps nothing.
  }
}

export function readOrders(): readonly KeptOrder[] {
  return readKept(KEPT_ORDERS) ?? [];
}

/** Adds an order in front, or replaces it. */
export function keepOrder(order: KeptOrder): readonly KeptOrder[] {
  const orders = [order, ...readOrders().filter(({ orderId }) => orderId !== order.orderId)].slice(0, MAX_ORDERS);
  keep(KEPT_ORDERS, orders);
  return orders;
}

export type Members = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

export const hasTexts = (value: Members, names: readonly string[]) =>
  names.every((name) => typeof value[name] === 'string');

export function areParts(value: unknown): value is StreetAddress {
  return isObject(value) && hasTexts(value, Object.keys(NO_ADDRESS));
}

function isSettings(value: unknown): value is DeviceSettings {
  if (!isObject(value) || (value.pickup !== null && typeof value.pickup !== 'boolean')) return false;
  return value.place === null || isNear(value.place);
}

function isNear(value: unknown): value is Near {
  if (!isObject(value)) return false;
  const { address, latitude, longitude, parts, isArea = false, isDevice = false } = value;
  if (typeof isArea !== 'boolean' || typeof isDevice !== 'boolean') return false;
  if (parts !== undefined && !areParts(parts)) return false;
  return typeof address === 'string' && Number.isFinite(latitude) && Number.isFinite(longitude);
}

function isOrders(value: unknown): value is readonly KeptOrder[] {
  const isOrder = (one: unknown) =>
    isObject(one) && hasTexts(one, ['orderId', 'key', 'storeId', 'storeName']) && Number.isFinite(one.savedAtEpochS);
  return Array.isArray(value) && value.every(isOrder);
}
