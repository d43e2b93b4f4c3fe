import { createOrderRoute } from './create-order.route.ts';
import { finalizeOrderRoute } from './finalize-order.route.ts';
import { updateOrderRoute } from './update-order.route.ts';

/** From a cart to a placed order, and its notes. */
export const PLACING_ROUTES = [createOrderRoute, finalizeOrderRoute, updateOrderRoute];
