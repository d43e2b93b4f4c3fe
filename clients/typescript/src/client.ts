import type {
  AddWebhookBody,
  AdvanceSandboxOrderBody,
  CreateCardSetupBody,
  CreatePaymentMethodBody,
  DeletePaymentMethodBody,
  ListRequestsQuery,
  ListSandboxChargesQuery,
  RemoveWebhookBody,
  ReplayWebhookBody,
} from './api-types.ts';
import { type Call, type CallOptions, type ClientOptions, createCall } from './call.ts';
import { createEvents } from './events.ts';
import { createFinders } from './find.ts';
import { createOrders } from './orders.ts';

export type Client = ReturnType<typeof createClient>;

/**
 * A client of one account. Methods reject with DoorstepError (an error response), DoorstepConnectionError (no response)
 * or the signal's reason. Names and units are the API's: whole cents, epoch seconds.
 */
export function createClient(options: ClientOptions) {
  const call = createCall(options);
  return {
    ...createFinders(call),
    orders: createOrders(call, options),
    events: createEvents(call, options),
    paymentMethods: createPaymentMethods(call),
    webhooks: createWebhooks(call),
    /** Lists the account's recent requests to one process, for development. */
    requests: {
      list: (query: ListRequestsQuery = {}, options?: CallOptions) => call('listRequests', { query }, options),
    },
    sandbox: createSandbox(call),
  };
}

function createPaymentMethods(call: Call) {
  return {
    /** Saves a card, or a token from the gateway's client library, for your user. */
    create: (body: CreatePaymentMethodBody, options?: CallOptions) => call('createPaymentMethod', { body }, options),
    list: (userId: string, options?: CallOptions) =>
      call('listPaymentMethods', { query: { user_id: userId } }, options),
    delete: (body: DeletePaymentMethodBody, options?: CallOptions) => call('deletePaymentMethod', { body }, options),
    /** Creates a card page at the gateway. */
    setUp: (body: CreateCardSetupBody, options?: CallOptions) => call('createCardSetup', { body }, options),
  };
}

/** The endpoint that the service calls at each step of an order. */
function createWebhooks(call: Call) {
  return {
    attach: (body: AddWebhookBody, options?: CallOptions) => call('addWebhook', { body }, options),
    remove: (body: RemoveWebhookBody, options?: CallOptions) => call('removeWebhook', { body }, options),
    /** Gets the endpoint with its signing secret and its latest deliveries. */
    get: (options?: CallOptions) => call('readWebhook', {}, options),
    replay: (body: ReplayWebhookBody, options?: CallOptions) => call('replayWebhook', { body }, options),
    /** Sends a `webhook.test` delivery immediately. */
    test: (options?: CallOptions) => call('testWebhook', { body: {} }, options),
  };
}

/** For sandbox keys: play the store and the courier, see charges and messages. */
function createSandbox(call: Call) {
  return {
    advance: (orderId: string, body: AdvanceSandboxOrderBody, options?: CallOptions) =>
      call('advanceSandboxOrder', { path: { order_id: orderId }, body }, options),
    charges: (query: ListSandboxChargesQuery, options?: CallOptions) => call('listSandboxCharges', { query }, options),
    messages: (orderId: string, options?: CallOptions) =>
      call('listSandboxMessages', { query: { order_id: orderId } }, options),
  };
}
