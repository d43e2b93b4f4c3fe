import { brandsRoutes } from './brands.route.ts';
import { CONSOLE_ROUTES } from './console.route.ts';
import { MENU_ROUTES } from './menu.route.ts';
import { ORDER_STEP_ROUTES } from './order-steps.route.ts';
import { placeStoreOrderRoute } from './place-order.route.ts';
import { refundStoreOrderRoute } from './refund-order.route.ts';
import { salesRoutes } from './sales.route.ts';
import { sessionsRoutes } from './sessions.route.ts';
import { staffRoutes } from './staff.route.ts';
import { storeStatementsRoutes } from './statements.route.ts';
import { storeRoutes } from './store.route.ts';
import { listStoreOrdersRoute, streamStoreOrdersRoute } from './store-orders.route.ts';
import { PRODUCT_ROUTES } from './store-products.route.ts';
import { ticketRoutes } from './ticket.route.ts';

/** The Store API and the console. */
export const STORE_CONSOLE_ROUTES = [
  sessionsRoutes,
  staffRoutes,
  brandsRoutes,
  listStoreOrdersRoute,
  streamStoreOrdersRoute,
  placeStoreOrderRoute,
  salesRoutes,
  ...ORDER_STEP_ROUTES,
  refundStoreOrderRoute,
  storeRoutes,
  ...PRODUCT_ROUTES,
  ...MENU_ROUTES,
  storeStatementsRoutes,
  ...CONSOLE_ROUTES,
  ticketRoutes,
];
