import type { ProductSearch } from '../catalog/search/search-products.flow.ts';
import type { CreateOrderDeps, OrderDeps } from '../orders/order-deps.ts';
import type { LookupDeps } from '../places/spend-lookup.flow.ts';
import type { KnownStores } from '../stores/known-stores.cache.ts';
import type { StoreSearchDeps } from '../stores/search/find-store-page.flow.ts';
import type { Tool } from './tool.ts';
import { cancelOrderTool } from './tools/cancel-order.flow.ts';
import { getMenuTool } from './tools/get-menu.flow.ts';
import { getOrderTool } from './tools/get-order.flow.ts';
import { getProductTool } from './tools/get-product.flow.ts';
import { placeOrderTool } from './tools/place-order.flow.ts';
import { quoteOrderTool } from './tools/quote-order.flow.ts';
import { searchPlacesTool } from './tools/search-places.flow.ts';
import { searchProductsTool } from './tools/search-products.flow.ts';
import { searchStoresTool } from './tools/search-stores.flow.ts';

export type ToolDeps = CreateOrderDeps &
  Pick<OrderDeps, 'trackingSites'> &
  StoreSearchDeps &
  LookupDeps & { knownStores: KnownStores; searchProducts: ProductSearch };

/** Every tool by its name, in the order of a purchase. */
export function openTools(deps: ToolDeps): ReadonlyMap<string, Tool> {
  const tools = [
    searchStoresTool(deps),
    searchProductsTool(deps),
    getMenuTool(deps),
    getProductTool(deps),
    quoteOrderTool(deps),
    placeOrderTool(deps),
    getOrderTool(deps),
    cancelOrderTool(deps),
    searchPlacesTool(deps),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
