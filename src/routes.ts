import { searchCartsRoute } from './carts/search-carts.route.ts';
import { createCustomizationsCache } from './catalog/customizations.cache.ts';
import { inventoryRoute } from './catalog/inventory.route.ts';
import { productRoute } from './catalog/product.route.ts';
import { productSearchRoute } from './catalog/search/product-search.route.ts';
import { advanceOrderRoute } from './deliveries/advance-order.route.ts';
import { courierWebhookRoute } from './deliveries/courier-webhook.route.ts';
import { createBufferPool } from './http/buffer-pool.ts';
import type { Http } from './http/http.ts';
import { acknowledgeOrderRoute } from './merchants/acknowledge-order.route.ts';
import { assignDriverRoute } from './merchants/assign-driver.route.ts';
import { listChannelsRoute } from './merchants/list-channels.route.ts';
import { listProductsRoute } from './merchants/list-products.route.ts';
import { listStoreOrdersRoute } from './merchants/list-store-orders.route.ts';
import { pauseStoreRoute } from './merchants/pause-store.route.ts';
import { printTicketRoute } from './merchants/print-ticket.route.ts';
import { readStoreRoute } from './merchants/read-store.route.ts';
import { resumeStoreRoute } from './merchants/resume-store.route.ts';
import { sessionsRoutes } from './merchants/sessions.route.ts';
import { setHoursRoute } from './merchants/set-hours.route.ts';
import { setOptionRoute } from './merchants/set-option.route.ts';
import { setProductRoute } from './merchants/set-product.route.ts';
import { storeStepsRoutes } from './merchants/store-steps.route.ts';
import { streamStoreOrdersRoute } from './merchants/stream-store-orders.route.ts';
import { sandboxMessagesRoute } from './messages/sandbox-messages.route.ts';
import { operationsRoutes } from './operations.route.ts';
import { createOrderRoute } from './orders/create-order.route.ts';
import { finalizeOrderRoute } from './orders/finalize-order.route.ts';
import { listOrdersRoute } from './orders/list-orders.route.ts';
import { createPaymentMethodRoute } from './payments/create-payment-method.route.ts';
import { deletePaymentMethodRoute } from './payments/delete-payment-method.route.ts';
import { listPaymentMethodsRoute } from './payments/list-payment-methods.route.ts';
import { sandboxChargesRoute } from './payments/sandbox-charges.route.ts';
import { addStoreRoute } from './places/add-store.route.ts';
import { searchPlacesRoute } from './places/search-places.route.ts';
import { referenceRoutes } from './reference/reference.route.ts';
import { searchRoute } from './stores/search/search.route.ts';
import { trackingRoute } from './tracking/tracking.route.ts';
import { trackingEventsRoute } from './tracking/tracking-events.route.ts';
import { trackingFilesRoutes } from './tracking/tracking-files.route.ts';
import { addWebhookRoute } from './webhooks/add-webhook.route.ts';
import { replayWebhookRoute } from './webhooks/replay-webhook.route.ts';
import { testWebhookRoute } from './webhooks/test-webhook.route.ts';
import { webhookRoute } from './webhooks/webhook.route.ts';
import type { Deps } from './wiring/deps.ts';

/** Room for a page of 100 stores, and for as many answers as are usually being sent at a time: 12 MiB. */
const SEARCH_BUFFERS = { bufferBytes: 192 * 1024, maxKept: 64 };

/** What a store sells, and when. */
function storeSettingsRoutes(http: Http, deps: Deps): void {
  readStoreRoute(http, deps);
  listProductsRoute(http, deps);
  setProductRoute(http, deps);
  setOptionRoute(http, deps);
  pauseStoreRoute(http, deps);
  resumeStoreRoute(http, deps);
  setHoursRoute(http, deps);
}

/** Every endpoint of the service. */
export function registerRoutes(http: Http, deps: Deps): void {
  operationsRoutes(http, deps);
  sessionsRoutes(http, deps);
  listStoreOrdersRoute(http, deps);
  streamStoreOrdersRoute(http, deps);
  acknowledgeOrderRoute(http, deps);
  storeStepsRoutes(http, deps);
  assignDriverRoute(http, deps);
  storeSettingsRoutes(http, deps);
  printTicketRoute(http, deps);
  listChannelsRoute(http, deps);
  referenceRoutes(http);
  searchRoute(http, deps, createBufferPool(SEARCH_BUFFERS));
  searchPlacesRoute(http, deps);
  addStoreRoute(http, deps);
  productSearchRoute(http, deps);
  searchCartsRoute(http, deps);
  inventoryRoute(http, deps);
  productRoute(http, deps, createCustomizationsCache(deps));
  createPaymentMethodRoute(http, deps);
  deletePaymentMethodRoute(http, deps);
  listPaymentMethodsRoute(http, deps);
  sandboxChargesRoute(http, deps);
  sandboxMessagesRoute(http, deps);
  createOrderRoute(http, deps);
  finalizeOrderRoute(http, deps);
  listOrdersRoute(http, deps);
  advanceOrderRoute(http, deps);
  courierWebhookRoute(http, deps);
  trackingRoute(http, deps);
  trackingEventsRoute(http, deps);
  trackingFilesRoutes(http, deps);
  addWebhookRoute(http, deps);
  webhookRoute(http, deps);
  replayWebhookRoute(http, deps);
  testWebhookRoute(http, deps);
}
