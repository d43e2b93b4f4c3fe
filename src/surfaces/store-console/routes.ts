import { BRAND_OPERATIONS } from './brands.route.ts';
import { MENU_OPERATIONS } from './menu.route.ts';
import { ORDER_STEP_OPERATIONS } from './order-steps.route.ts';
import { placeStoreOrderOperation } from './place-order.route.ts';
import { refundStoreOrderOperation } from './refund-order.route.ts';
import { SALES_OPERATIONS } from './sales.route.ts';
import { SESSION_OPERATIONS } from './sessions.route.ts';
import { STAFF_OPERATIONS } from './staff.route.ts';
import { STATEMENT_OPERATIONS } from './statements.route.ts';
import { STORE_SETTINGS_OPERATIONS } from './store.route.ts';
import { listStoreOrdersOperation } from './store-orders.route.ts';
import { PRODUCT_OPERATIONS } from './store-products.route.ts';

/** The Store API, in the order of the API description. A stream follows the first list, and pages the second. */
export const STORE_OPERATIONS = [
  ...SESSION_OPERATIONS,
  ...STAFF_OPERATIONS,
  ...BRAND_OPERATIONS,
  listStoreOrdersOperation,
] as const;
export const MORE_STORE_OPERATIONS = [
  placeStoreOrderOperation,
  ...SALES_OPERATIONS,
  ...ORDER_STEP_OPERATIONS,
  refundStoreOrderOperation,
  ...STORE_SETTINGS_OPERATIONS,
  ...PRODUCT_OPERATIONS,
  ...MENU_OPERATIONS,
  ...STATEMENT_OPERATIONS,
] as const;
