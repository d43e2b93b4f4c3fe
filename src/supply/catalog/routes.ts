import { inventoryRoute } from './inventory.route.ts';
import { productRoute } from './product.route.ts';
import { storesByIdRoute } from './stores-by-id.route.ts';

/** A store's goods. */
export const CATALOG_ROUTES = [inventoryRoute, storesByIdRoute, productRoute];
