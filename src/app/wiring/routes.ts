import { listRequestsRoute } from '../../access/accounts/list-requests.route.ts';
import { findCourierStores } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { courierWebhookRoute } from '../../fulfillment/deliveries/couriers/courier-webhook.route.ts';
import {
  driverFilesRoute,
  driverPhotoRoute,
  driverPositionRoute,
  driverRoutes,
  driverStepsRoutes,
} from '../../fulfillment/deliveries/driver.route.ts';
import { proofRoutes } from '../../fulfillment/deliveries/proof.route.ts';
import { smsReplyRoute } from '../../notify/messages/sms-reply.route.ts';
import { listAccountEventsRoute, listOrderEventsRoute } from '../../notify/webhooks/list-events.route.ts';
import {
  addWebhookRoute,
  removeWebhookRoute,
  replayWebhookRoute,
  testWebhookRoute,
  webhookRoute,
} from '../../notify/webhooks/webhook.route.ts';
import { cancelOrderRoute } from '../../ordering/money/cancel-order.route.ts';
import { raiseTipRoute } from '../../ordering/money/raise-tip.route.ts';
import { refundOrderRoute } from '../../ordering/money/refund-order.route.ts';
import { listOrdersRoute } from '../../ordering/order/list-orders.route.ts';
import { authenticationPageRoutes } from '../../ordering/payments/authentication-page.route.ts';
import {
  cardSetupPageRoutes,
  cardSetupReturnRoute,
  createCardSetupRoute,
} from '../../ordering/payments/card-setup.route.ts';
import { createPaymentMethodRoute } from '../../ordering/payments/create-payment-method.route.ts';
import { gatewayWebhookRoute } from '../../ordering/payments/gateway-webhook.route.ts';
import { deletePaymentMethodRoute, listPaymentMethodsRoute } from '../../ordering/payments/payment-methods.route.ts';
import { createOrderRoute } from '../../ordering/place/create-order.route.ts';
import { finalizeOrderRoute } from '../../ordering/place/finalize-order.route.ts';
import { updateOrderRoute } from '../../ordering/place/update-order.route.ts';
import { BufferPool } from '../../platform/http/buffer-pool.ts';
import type { Http } from '../../platform/http/http.ts';
import { searchCartsRoute } from '../../search/carts/search-carts.route.ts';
import { productSearchRoute } from '../../search/products/product-search.route.ts';
import { createProductSearch } from '../../search/products/search-products.flow.ts';
import { searchRoute } from '../../search/stores/search.route.ts';
import { geocodeRoute } from '../../supply/addresses/geocode.route.ts';
import { CustomizationsCache } from '../../supply/catalog/customizations.cache.ts';
import { inventoryRoute } from '../../supply/catalog/inventory.route.ts';
import { productRoute } from '../../supply/catalog/product.route.ts';
import { storesByIdRoute } from '../../supply/catalog/stores-by-id.route.ts';
import { readPhotoRoute, uploadPhotoRoute } from '../../supply/photos/photos.route.ts';
import { addStoreRoute } from '../../supply/places/add-store.route.ts';
import { searchPlacesRoute } from '../../supply/places/search-places.route.ts';
import { llmsTextRoute } from '../../surfaces/agents/llms-text.route.ts';
import { mcpRoute } from '../../surfaces/agents/mcp.route.ts';
import { checkoutRoutes } from '../../surfaces/checkout/checkout.route.ts';
import { docsRoutes } from '../../surfaces/docs/pages/docs.route.ts';
import { openApiRoute, referenceRoutes } from '../../surfaces/docs/reference.route.ts';
import { startRoutes } from '../../surfaces/docs/start.route.ts';
import { exportOrdersRoute } from '../../surfaces/operator/list-exported-orders.route.ts';
import { operatorPageRoutes } from '../../surfaces/operator/operator-page.route.ts';
import { procedureRoutes } from '../../surfaces/operator/procedure.ts';
import { PROCEDURES } from '../../surfaces/operator/procedures.route.ts';
import { operatorSignInRoutes } from '../../surfaces/operator/sign-in.route.ts';
import { downloadStatementsRoute } from '../../surfaces/operator/statements.route.ts';
import { waitingStreamRoute } from '../../surfaces/operator/waiting.route.ts';
import { advanceOrderRoute, simulatedDriverPhotoRoute } from '../../surfaces/sandbox/advance-order.route.ts';
import { createMessagesOfOrders } from '../../surfaces/sandbox/order-messages.flow.ts';
import { sandboxChargesRoute } from '../../surfaces/sandbox/sandbox-charges.route.ts';
import { sandboxMessagesRoute } from '../../surfaces/sandbox/sandbox-messages.route.ts';
import { consoleFilesRoute, consoleRoute, linkedOrderRoute } from '../../surfaces/store-console/console.route.ts';
import {
  editCategoryRoutes,
  editItemRoutes,
  menuHistoryRoutes,
  readMenuRoutes,
} from '../../surfaces/store-console/menu.route.ts';
import {
  acknowledgeOrderRoute,
  adjustItemRoute,
  assignDriverRoute,
  printTicketRoute,
  storeStepsRoutes,
} from '../../surfaces/store-console/order-steps.route.ts';
import { salesRoutes } from '../../surfaces/store-console/sales.route.ts';
import { sessionsRoutes } from '../../surfaces/store-console/sessions.route.ts';
import { staffRoutes } from '../../surfaces/store-console/staff.route.ts';
import { storeStatementsRoutes } from '../../surfaces/store-console/statements.route.ts';
import {
  listChannelsRoute,
  pauseStoreRoute,
  readStoreRoute,
  resumeStoreRoute,
  setHoursRoute,
  setLanguageRoute,
  setPhotosRoute,
} from '../../surfaces/store-console/store.route.ts';
import { listStoreOrdersRoute, streamStoreOrdersRoute } from '../../surfaces/store-console/store-orders.route.ts';
import {
  listProductsRoute,
  setOptionRoute,
  setProductRoute,
} from '../../surfaces/store-console/store-products.route.ts';
import { ticketRoutes } from '../../surfaces/store-console/ticket.route.ts';
import { calendarRoute } from '../../surfaces/tracking/calendar.route.ts';
import { cancelRoutes } from '../../surfaces/tracking/cancel.route.ts';
import { notesRoutes } from '../../surfaces/tracking/notes.route.ts';
import { hostProofRoute } from '../../surfaces/tracking/own-host.hook.ts';
import { photoRoute } from '../../surfaces/tracking/photo.route.ts';
import { problemRoutes } from '../../surfaces/tracking/problem.route.ts';
import { tilesRoute } from '../../surfaces/tracking/tiles.route.ts';
import { tipRoutes } from '../../surfaces/tracking/tip.route.ts';
import { receiptRoute, trackingRoute } from '../../surfaces/tracking/tracking.route.ts';
import { trackingEventsRoute } from '../../surfaces/tracking/tracking-events.route.ts';
import { trackingFilesRoutes } from '../../surfaces/tracking/tracking-files.route.ts';
import { COURIER_COMPANIES } from '../adapters/couriers/companies.ts';
import type { Deps } from './deps.ts';
import { metricsRoute, probeRoutes } from './operations.route.ts';

/** Size for a page of 100 stores, and the usual number of concurrent answers: 12 MiB in all. */
const SEARCH_BUFFERS = { bufferBytes: 192 * 1024, maxKept: 64 };

/** Endpoints for what a store sells, and when. */
function storeSettingsRoutes(http: Http, deps: Deps): void {
  readStoreRoute(http, deps);
  listProductsRoute(http, deps);
  setProductRoute(http, deps);
  setOptionRoute(http, deps);
  readMenuRoutes(http, deps);
  editItemRoutes(http, deps);
  editCategoryRoutes(http, deps);
  menuHistoryRoutes(http, deps);
  pauseStoreRoute(http, deps);
  resumeStoreRoute(http, deps);
  setHoursRoute(http, deps);
  setPhotosRoute(http, deps);
  setLanguageRoute(http, deps);
  uploadPhotoRoute(http, deps);
}

/** Every endpoint of the service. */
export function registerRoutes(http: Http, deps: Deps): void {
  const searchProducts = createProductSearch(deps);
  probeRoutes(http, deps);
  const { metrics, publicDocs } = deps.config;
  if (!metrics) metricsRoute(http, deps, { localOnly: true });
  if (publicDocs) {
    referenceRoutes(http, { describe: () => http.swagger(), baseUrl: deps.config.baseUrl, canTry: true });
    docsRoutes(http, deps);
  }
  startRoutes(http, deps);
  openApiRoute(http, () => http.swagger());
  llmsTextRoute(http, deps);
  mcpRoute(http, { ...deps, searchProducts });
  sessionsRoutes(http, deps);
  staffRoutes(http, deps);
  listStoreOrdersRoute(http, deps);
  streamStoreOrdersRoute(http, deps);
  salesRoutes(http, deps);
  acknowledgeOrderRoute(http, deps);
  storeStepsRoutes(http, deps);
  assignDriverRoute(http, deps);
  adjustItemRoute(http, deps);
  storeSettingsRoutes(http, deps);
  printTicketRoute(http, deps);
  listChannelsRoute(http, deps);
  storeStatementsRoutes(http, deps);
  operatorPageRoutes(http, deps);
  operatorSignInRoutes(http, deps);
  exportOrdersRoute(http, deps);
  procedureRoutes(
    http,
    { ...deps, findCourierStores, courierCompanies: COURIER_COMPANIES.map(({ name }) => name) },
    PROCEDURES,
  );
  waitingStreamRoute(http, deps);
  downloadStatementsRoute(http, { ...deps, findCourierStores });
  searchRoute(http, deps, new BufferPool(SEARCH_BUFFERS));
  searchPlacesRoute(http, deps);
  addStoreRoute(http, deps);
  geocodeRoute(http, deps);
  productSearchRoute(http, searchProducts);
  searchCartsRoute(http, deps);
  inventoryRoute(http, deps);
  storesByIdRoute(http, deps);
  readPhotoRoute(http, deps);
  productRoute(http, deps, new CustomizationsCache(deps));
  createPaymentMethodRoute(http, deps);
  createCardSetupRoute(http, deps);
  cardSetupPageRoutes(http, deps);
  cardSetupReturnRoute(http, deps);
  authenticationPageRoutes(http, deps);
  gatewayWebhookRoute(http, deps, '/payment/stripe/webhook', 'stripe-signature');
  deletePaymentMethodRoute(http, deps);
  listPaymentMethodsRoute(http, deps);
  sandboxChargesRoute(http, deps);
  sandboxMessagesRoute(http, deps);
  smsReplyRoute(http, deps);
  createOrderRoute(http, deps);
  finalizeOrderRoute(http, deps);
  cancelOrderRoute(http, deps);
  updateOrderRoute(http, deps);
  refundOrderRoute(http, deps);
  raiseTipRoute(http, deps);
  listOrdersRoute(http, { ...deps, messagesOf: createMessagesOfOrders(deps) });
  advanceOrderRoute(http, deps);
  courierWebhookRoute(http, deps);
  proofRoutes(http, deps);
  driverRoutes(http, deps);
  driverStepsRoutes(http, deps);
  driverPositionRoute(http, deps);
  driverPhotoRoute(http, deps);
  driverFilesRoute(http, deps);
  simulatedDriverPhotoRoute(http);
  trackingRoute(http, deps);
  receiptRoute(http, deps);
  cancelRoutes(http, deps);
  photoRoute(http, deps);
  problemRoutes(http, deps);
  notesRoutes(http, deps);
  tipRoutes(http, deps);
  calendarRoute(http, deps);
  checkoutRoutes(http, deps);
  hostProofRoute(http, deps);
  trackingEventsRoute(http, deps);
  trackingFilesRoutes(http, deps);
  tilesRoute(http, deps);
  consoleRoute(http, deps);
  consoleFilesRoute(http, deps);
  linkedOrderRoute(http, deps);
  ticketRoutes(http, deps);
  listAccountEventsRoute(http, deps);
  listRequestsRoute(http, deps);
  listOrderEventsRoute(http, deps);
  addWebhookRoute(http, deps);
  removeWebhookRoute(http, deps);
  webhookRoute(http, deps);
  replayWebhookRoute(http, deps);
  testWebhookRoute(http, deps);
}

/** Endpoints of the private listener; `served` is the service that the reference describes. */
export function registerPrivateRoutes(http: Http, deps: Deps, served: Http): void {
  probeRoutes(http, deps);
  metricsRoute(http, deps);
  referenceRoutes(http, { describe: () => served.swagger(), baseUrl: '', canTry: false });
  http.get('/', { config: { public: true }, schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/reference', 302),
  );
  docsRoutes(http, deps);
  openApiRoute(http, () => served.swagger());
}
