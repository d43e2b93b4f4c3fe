import type { Near } from './boot.ts';

/**
 * What the shop keeps on the device: the visitor's place, delivery or pickup, and the orders. Without storage, the shop
 * works and keeps nothing beyond the page.
 */

export type DeviceSettings = { place: Near | null; pickup: boolean | null };
/** An order of this device. Its key shows it, and lets the customer change it. */
export type KeptOrder = { orderId: string; key: string; storeId: string; storeName: string; savedAtEpochS: number };

/** Where the visitor is, as another tab may change it. */
export const KEPT_SETTINGS = { name: 'settings', isValue: isSettings };

const PREFIX = 'doorstep.shop.';
const MAX_ORDERS = 50;

export function readKept<Value>(name: string, isValue: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value; undefined removes it. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Ignored: a full or forbidden storage keeps nothing.
  }
}

export function readSettings(): DeviceSettings {
  return readKept('settings', isSettings) ?? { place: null, pickup: null };
}

export const keepSettings = (settings: DeviceSettings): void => keep('settings', settings);

export function readOrders(): readonly KeptOrder[] {
  return readKept('orders', isOrders) ?? [];
}

/** Adds an order in front, or replaces it. */
export function keepOrder(order: KeptOrder): readonly KeptOrder[] {
  const orders = [order, ...readOrders().filter(({ orderId }) => orderId !== order.orderId)].slice(0, MAX_ORDERS);
  keep('orders', orders);
  return orders;
}

type Kept = Readonly<Record<string, unknown>>;
const isKept = (value: unknown): value is Kept => typeof value === 'object' && value !== null;

function isSettings(value: unknown): value is DeviceSettings {
  if (!isKept(value) || (value.pickup !== null && typeof value.pickup !== 'boolean')) return false;
  return value.place === null || isNear(value.place);
}

function isNear(value: unknown): value is Near {
  if (!isKept(value)) return false;
  const { address, latitude, longitude } = value;
  return typeof address === 'string' && Number.isFinite(latitude) && Number.isFinite(longitude);
}

function isOrders(value: unknown): value is readonly KeptOrder[] {
  const texts = ['orderId', 'key', 'storeId', 'storeName'];
  const isOrder = (one: unknown) =>
    isKept(one) && texts.every((name) => typeof one[name] === 'string') && Number.isFinite(one.savedAtEpochS);
  return Array.isArray(value) && value.every(isOrder);
}
