import { listRequestsRoute } from '../../access/accounts/list-requests.route.ts';
import type { Operation } from '../../access/operations/operation.ts';
import { operationRoutes } from '../../access/operations/operation-routes.route.ts';
import { findCourierStores } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { courierWebhookRoute } from '../../fulfillment/deliveries/couriers/courier-webhook.route.ts';
import { DRIVER_ROUTES } from '../../fulfillment/deliveries/driver.route.ts';
import { proofPhotoRoute, readProofOperation } from '../../fulfillment/deliveries/proof.route.ts';
import { smsReplyRoute } from '../../notify/messages/sms-reply.route.ts';
import { EVENT_OPERATIONS } from '../../notify/webhooks/list-events.route.ts';
import { webhookOperations } from '../../notify/webhooks/webhook.route.ts';
import { MONEY_OPERATIONS } from '../../ordering/money/routes.ts';
import { forgetUserOperation } from '../../ordering/order/forget-user.route.ts';
import { listOrdersOperation } from '../../ordering/order/list-orders.route.ts';
import { gatewayWebhookRoute } from '../../ordering/payments/gateway-webhook.route.ts';
import { PAYMENT_METHOD_OPERATIONS } from '../../ordering/payments/payment-methods.route.ts';
import { PAYMENT_ROUTES } from '../../ordering/payments/routes.ts';
import { createOrderRoute } from '../../ordering/place/create-order.route.ts';
import { PLACING_OPERATIONS } from '../../ordering/place/routes.ts';
import type { Http } from '../../platform/http/http.ts';
import { searchCartsRoute } from '../../search/carts/search-carts.route.ts';
import { productSearchRoute } from '../../search/products/product-search.route.ts';
import { createProductSearch } from '../../search/products/search-products.flow.ts';
import { searchRoute } from '../../search/stores/search.route.ts';
import { geocodeOperation } from '../../supply/addresses/geocode.route.ts';
import { inventoryRoute } from '../../supply/catalog/inventory.route.ts';
import { productRoute } from '../../supply/catalog/product.route.ts';
import { readStoresOperation } from '../../supply/catalog/stores-by-id.route.ts';
import { PHOTO_ROUTES } from '../../supply/photos/photos.route.ts';
import { placeOperations } from '../../supply/places/places.route.ts';
import { PROMOTION_OPERATIONS } from '../../supply/promotions/promotions.route.ts';
import { AGENT_ROUTES } from '../../surfaces/agents/routes.ts';
import { cardRoutes } from '../../surfaces/checkout/card.route.ts';
import { checkoutRoutes } from '../../surfaces/checkout/checkout.route.ts';
import { docsRoutes } from '../../surfaces/docs/pages/docs.route.ts';
import { openApiRoute, referenceRoutes } from '../../surfaces/docs/reference.route.ts';
import { startRoutes } from '../../surfaces/docs/start.route.ts';
import { NOTE_OPERATIONS } from '../../surfaces/operator/notes.route.ts';
import { OPERATOR_OPERATIONS } from '../../surfaces/operator/operations.route.ts';
import { OPERATOR_ROUTES } from '../../surfaces/operator/routes.ts';
import { simulatedDriverPhotoRoute } from '../../surfaces/sandbox/advance-order.route.ts';
import { createMessagesOfOrders } from '../../surfaces/sandbox/order-messages.flow.ts';
import { SANDBOX_OPERATIONS } from '../../surfaces/sandbox/routes.ts';
import { shopRoutes } from '../../surfaces/shop/shop.route.ts';
import { signInRoutes } from '../../surfaces/sign-in/routes.ts';
import { CONSOLE_ROUTES } from '../../surfaces/store-console/console.route.ts';
import { MORE_STORE_OPERATIONS, STORE_OPERATIONS } from '../../surfaces/store-console/routes.ts';
import { consoleSignInRoutes } from '../../surfaces/store-console/sessions.route.ts';
import { streamStoreOrdersRoute } from '../../surfaces/store-console/store-orders.route.ts';
import { ticketRoutes } from '../../surfaces/store-console/ticket.route.ts';
import { TRACKING_ROUTES } from '../../surfaces/tracking/routes.ts';
import { ucpRoutes } from '../../surfaces/ucp/routes.ts';
import type { Deps } from './deps.ts';
import { namesOf, polledPathsOf } from './open-plugins.ts';
import { metricsRoute, probeRoutes } from './operations.route.ts';
import { pluginRoutes } from './plugin-routes.route.ts';
import { PERSONAL_DATA } from './retentions.ts';

/* Every endpoint of the service, room by room. */

type RouteDeps = ReturnType<typeof routeDeps>;

/** Adds dependencies of routes: from folders that they may not import, or made of several dependencies. */
const routeDeps = (deps: Deps) => ({
  ...deps,
  searchProducts: createProductSearch(deps),
  messagesOf: createMessagesOfOrders(deps),
  findCourierStores,
  courierCompanies: namesOf(deps.config.plugins.all, ({ couriers }) => couriers),
  printers: namesOf(deps.config.plugins.all, ({ printers }) => printers),
  polledPrinters: polledPathsOf(deps.config.plugins.all),
  personalData: PERSONAL_DATA,
});

/** Registers operations that only accounts have. */
const ofAccounts =
  (list: (deps: RouteDeps) => readonly Operation<RouteDeps>[]) =>
  (http: Http, deps: RouteDeps): void =>
    operationRoutes(http, deps, ['account'], list(deps));

/** Functions that register the endpoints of a folder, in the order of the API description. */
const ROOMS: readonly ((http: Http, deps: RouteDeps) => void)[] = [
  startRoutes,
  ...AGENT_ROUTES,
  ucpRoutes,
  consoleSignInRoutes,
  (http, deps) => operationRoutes(http, deps, ['store'], STORE_OPERATIONS),
  streamStoreOrdersRoute,
  (http, deps) => operationRoutes(http, deps, ['store'], MORE_STORE_OPERATIONS),
  ...CONSOLE_ROUTES,
  ticketRoutes,
  ...OPERATOR_ROUTES,
  searchRoute,
  ofAccounts((deps) => [...placeOperations(deps), geocodeOperation]),
  productSearchRoute,
  searchCartsRoute,
  inventoryRoute,
  ofAccounts(() => [readStoresOperation]),
  productRoute,
  ...PHOTO_ROUTES,
  (http, deps) => operationRoutes(http, deps, ['store', 'account'], PROMOTION_OPERATIONS),
  (http, deps) => operationRoutes(http, deps, ['store'], NOTE_OPERATIONS),
  ...PAYMENT_ROUTES,
  ofAccounts(() => [...PAYMENT_METHOD_OPERATIONS, ...SANDBOX_OPERATIONS]),
  simulatedDriverPhotoRoute,
  smsReplyRoute,
  createOrderRoute,
  ofAccounts(() => [...PLACING_OPERATIONS, ...MONEY_OPERATIONS, listOrdersOperation, forgetUserOperation]),
  courierWebhookRoute,
  ofAccounts(() => [readProofOperation]),
  proofPhotoRoute,
  ...DRIVER_ROUTES,
  ...TRACKING_ROUTES,
  checkoutRoutes,
  cardRoutes,
  shopRoutes,
  signInRoutes,
  ofAccounts((deps) => [...EVENT_OPERATIONS, ...webhookOperations(deps)]),
  listRequestsRoute,
];

/** Registers every endpoint of the service. */
export function registerRoutes(http: Http, given: Deps): void {
  const deps = routeDeps(given);
  const { metrics, publicDocs, baseUrl } = deps.config;
  const describe = () => http.swagger();
  probeRoutes(http, deps);
  if (!metrics) metricsRoute(http, deps, { localOnly: true });
  if (publicDocs) {
    referenceRoutes(http, { describe, baseUrl, canTry: true });
    docsRoutes(http, deps);
  }
  openApiRoute(http, describe);
  for (const register of ROOMS) register(http, deps);
  operationRoutes(http, deps, ['operator'], OPERATOR_OPERATIONS);
  pluginRoutes(http, deps);
  gatewayWebhookRoute(http, deps, `/payment/${deps.config.paymentGateway ?? 'stripe'}/webhook`);
}

/** Registers the endpoints of the private listener; `served` is the service that the reference describes. */
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
