import type { Inventory, ReadStoresAnswer } from '../../clients/typescript/src/api-types.ts';
import { type ClientOptions, createCall } from '../../clients/typescript/src/call.ts';
import { createFinders } from '../../clients/typescript/src/find.ts';
import { createOrders } from '../../clients/typescript/src/orders.ts';

export type FoundStore = ReadStoresAnswer['stores'][number];
export type Menu = Inventory;
export type ShopApi = ReturnType<typeof createShopApi>;

/** The part of the typed client that a publishable key may use; unused calls are left out of its bundle. */
export function createShopApi(options: ClientOptions) {
  const call = createCall(options);
  return { ...createFinders(call), orders: createOrders(call, options) };
}
