import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { setShop } from '../../src/access/accounts/set-shop.flow.ts';
import { putChannel, removeChannel } from '../../src/fulfillment/store-channels/store-channels.db.ts';
import { testBody } from '../../src/notify/webhooks/webhook.ts';
import { dispatchAllEvents } from '../../src/ordering/order/dispatch-events.flow.ts';
import { sealProduct } from '../../src/supply/catalog/catalog-tokens.ts';
import { EXAMPLE_STORE_ID } from '../../src/supply/stores/example-store.ts';
import { lookAtAlerts } from '../../src/surfaces/operator/alerts/watch-alerts.job.ts';
import { type ApiDocument, operationsOf } from '../api-document.ts';
import { givenJpeg } from '../given/driver.ts';
import { givenStoreLink } from '../given/merchant.ts';
import { givenPhoto } from '../given/photo.ts';
import type { ExampleClient, Sending, WireAnswer } from './example-client.ts';
import { type Callers, type Demo, OPERATOR_EMAIL, TRACKING_HOST } from './given-demo.ts';

/**
 * Operations whose body another party signs, so that their examples cannot be sent unchanged. Route tests send them.
 */
const SIGNED_BY_OTHERS: readonly string[] = ['receiveCourierReport', 'takeGatewayCall', 'takeSmsReply'];

/** Operations of which no example was sent and answered with a success. */
export const unsentOperations = (document: ApiDocument, { succeeded }: ExampleClient): string[] =>
  operationsOf(document)
    .map(({ operation }) => operation.operationId ?? '')
    .filter((id) => !succeeded.has(id) && !SIGNED_BY_OTHERS.includes(id));

const CARD_TO_APPROVE = { card_number: '4000002500003155', expiration_month: 12, expiration_year: 2031, cvc: '123' };

type Send = (...operationIds: readonly string[]) => Promise<void>;

/** Sends the examples with keys and sessions of each kind of caller. */
export type Traveler = {
  demo: Demo;
  client: ExampleClient;
  as: Readonly<Record<keyof Callers, Send>>;
  /** Sends an example with other members, headers or bytes. */
  sendOtherwise(caller: keyof Callers, operationId: string, sending: Sending): Promise<WireAnswer>;
};

export function createTraveler(demo: Demo, client: ExampleClient): Traveler {
  const sendAs =
    (caller: keyof Callers): Send =>
    async (...operationIds) => {
      for (const operationId of operationIds) await client.send(operationId, demo.callers[caller]);
    };
  return {
    demo,
    client,
    as: {
      account: sendAs('account'),
      live: sendAs('live'),
      store: sendAs('store'),
      console: sendAs('console'),
      operator: sendAs('operator'),
      nobody: sendAs('nobody'),
    },
    sendOtherwise: (caller, operationId, sending) => client.send(operationId, demo.callers[caller], sending),
  };
}

/** Places the example order, which later examples refer to as `{order_id}`. */
const order = ({ as }: Traveler) => as.account('readInventory', 'createPaymentMethod', 'createOrder');

/** Places it with a live key, without a charge. */
async function liveOrder({ as, sendOtherwise }: Traveler): Promise<void> {
  await as.live('readInventory');
  await sendOtherwise('live', 'createOrder', { change: { charge_user: false, payment_method_id: undefined } });
}

/** Places it for its store's last slot. */
async function scheduledOrder({ as, sendOtherwise }: Traveler): Promise<void> {
  const { body } = await sendOtherwise('account', 'readInventory', {});
  const { quote } = body as { quote: { time_estimate: { scheduled: { id: string }[] } } };
  await as.account('createPaymentMethod');
  const change = { scheduled_id: quote.time_estimate.scheduled.at(-1)?.id };
  await sendOtherwise('account', 'createOrder', { change });
}

/** The link in an offer to a store, which arrives by email or SMS. */
async function readLink({ demo: { app }, client }: Traveler): Promise<void> {
  const { deps } = app.service;
  await dispatchAllEvents(deps);
  const offers = deps.db.selectFrom('storeNotices').select('orderId').where('channel', '=', 'email');
  client.know({ link: await givenStoreLink(app, (await offers.executeTakeFirstOrThrow()).orderId) });
}

/** The browser's cookie of a sign-in that has begun. */
const cookieOf = ({ headers }: WireAnswer) => ({ cookie: String(headers['set-cookie']).split(';')[0] ?? '' });

async function signInByMail({ demo: { app, smtp }, client, as, sendOtherwise }: Traveler): Promise<void> {
  await as.nobody('readOperatorSignIn');
  const earlier = smtp.received.length;
  const requested = await sendOtherwise('nobody', 'askForSignInLink', {});
  await app.advance({ seconds: 1 });
  const [mail] = smtp.received.slice(earlier);
  client.know({ token: /\/link\/(\S+)/.exec(mail?.raw.replaceAll('=\r\n', '') ?? '')?.[1] });
  await as.nobody('readSignInLink');
  await sendOtherwise('nobody', 'useSignInLink', { headers: cookieOf(requested) });
}

/** A customer signs in at the account's host and allows a program, which gets its tokens. */
async function signInCustomer({ client, sendOtherwise }: Traveler): Promise<void> {
  const cookies = new Map<string, string>();
  const send = async (operationId: string, change?: Record<string, unknown>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { host: TRACKING_HOST, ...(cookie !== '' && { cookie }) };
    const answer = await sendOtherwise('nobody', operationId, { headers, ...(change && { change }) });
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const csrf = /name="csrf" value="([^"]+)"/.exec(answer.text)?.[1];
    if (csrf !== undefined) client.know({ csrf });
    return answer;
  };
  for (const suffix of ['', 'Mcp']) await send(`readProtectedResource${suffix}`);
  await send('readAuthorizationServer');
  await send('registerClient');
  await send('authorizeClient');
  await send('submitAuthorizeForm', { step: 'contact', contact: 'ana@example.com' });
  await send('authorizeClient');
  await send('submitAuthorizeForm', { step: 'code', code: '000000' });
  await send('authorizeClient');
  const { headers } = await send('submitAuthorizeForm');
  client.know({ code: new URL(String(headers.location)).searchParams.get('code') });
  await send('giveTokens');
  const connections = await send('readConnections');
  client.know({ grant_id: /name="grant_id" value="([^"]+)"/.exec(connections.text)?.[1] });
  await send('submitConnectionsForm');
  await send('revokeToken');
  await send('readProfile');
  await send('submitProfileForm');
}

async function signInAtIssuer({ demo: { issuer }, sendOtherwise }: Traveler): Promise<void> {
  const begun = await sendOtherwise('nobody', 'beginSingleSignOn', {});
  const person = { email: OPERATOR_EMAIL, email_verified: true };
  const query = new URL(issuer.approve(String(begun.headers.location), person)).search;
  await sendOtherwise('nobody', 'endSingleSignOn', { headers: cookieOf(begun), query });
}

/** Every example of the description, in an order that provides the ids. */
export const JOURNEY: Readonly<Record<string, (on: Traveler) => Promise<void>>> = {
  'stores, places, products and carts': async ({ as }) => {
    await as.account('searchStores', 'readStores', 'searchPlaces', 'addStore', 'geocode');
    await as.account('searchProducts', 'searchCarts');
    await as.account('readInventory', 'readProduct', 'exchangeMcpMessage');
  },
  'payment methods, by a number and on a page': async ({ as }) => {
    await as.account('createPaymentMethod', 'listPaymentMethods', 'deletePaymentMethod', 'createCardSetup');
    await as.nobody('readSandboxCardPage', 'submitSandboxCardPage', 'returnFromCardPage');
  },
  orders: async (on) => {
    const { as, sendOtherwise } = on;
    await order(on);
    await as.account('updateOrder', 'tipOrder', 'advanceSandboxOrder', 'refundOrder', 'listOrders');
    await as.account('listOrderEvents', 'listEvents');
    await as.operator('refundAnyOrder', 'adjustAnyOrder', 'tipAnyOrder');
    await as.account('listSandboxCharges', 'listSandboxMessages', 'listRequests', 'cancelOrder');
    await sendOtherwise('account', 'createOrder', { change: { place_order: false } });
    await as.nobody('readCheckout', 'readCheckoutFile', 'submitCheckout', 'continueCheckout');
    await as.account('finalizeOrder');
  },
  'the approval of a charge': async ({ as, client, demo, sendOtherwise }) => {
    await sendOtherwise('account', 'createPaymentMethod', { change: { payment_method: CARD_TO_APPROVE } });
    const { status } = await client.ask('createOrder', demo.callers.account);
    assert.equal(status, 402);
    await as.nobody('readSandboxAuthenticationPage', 'submitSandboxAuthenticationPage', 'readAuthenticatedPage');
  },
  'the tracking site': async (on) => {
    const { as, client, demo, sendOtherwise } = on;
    await order(on);
    const { text } = await client.ask('listSandboxMessages', demo.callers.account);
    client.know({ short_code: /\/t\/([\w-]+)/.exec(text)?.[1] });
    await as.nobody('followShortLink');
    await as.nobody('readTrackingPage', 'readTrackingFile', 'readTrackingColors', 'readTrackingIcon');
    await as.nobody('readTrackingReceipt', 'streamTrackingPage', 'readMapTiles');
    await scheduledOrder(on);
    await as.nobody('readTrackingCalendar');
    await sendOtherwise('nobody', 'proveTrackingHost', { headers: { host: TRACKING_HOST } });
    await as.nobody('readNotesPage', 'submitNotesPage', 'readProblemPage', 'submitProblemPage');
    await as.nobody('readCancelPage', 'submitCancelPage', 'readRepeatPage', 'submitRepeatPage');
    await as.nobody('readCardPage', 'submitCardPage', 'holdAgain');
  },
  'the Store API, from an offer to the door': async (on) => {
    const { as } = on;
    await as.store('listStoreOrders', 'streamStoreOrders');
    await order(on);
    await as.store('acknowledgeStoreOrder', 'confirmStoreOrder', 'delayStoreOrder');
    await as.store('adjustStoreOrderItem', 'readyStoreOrder', 'readTicket', 'assignStoreDriver');
    await as.store('pickUpStoreOrder', 'completeStoreOrder', 'refundStoreOrder');
    await as.store('readStoreSales', 'exportStoreSales', 'exportStoreOrders');
    await as.account('listOrderEvents');
    await order(on);
    await as.store('cancelStoreOrder');
    await as.account('listOrderEvents');
    await as.store('placeStoreOrder');
  },
  "a driver's page, with a photo": async (on) => {
    const { as, sendOtherwise } = on;
    await order(on);
    await as.store('confirmStoreOrder', 'assignStoreDriver');
    await as.nobody('readDriverPage', 'readDriverCode', 'readDriverFile', 'readDriverState');
    await as.nobody('acceptDelivery', 'pickUpDelivery');
    await as.nobody('reportPosition');
    await as.nobody('reportTrackedPosition');
    await sendOtherwise('nobody', 'addDeliveryPhoto', { bytes: givenJpeg() });
    await as.nobody('completeDelivery', 'readTrackingPhoto', 'readTipPage', 'submitTipPage', 'readSandboxDriverPhoto');
    await as.account('readProof', 'readProofPhoto', 'listOrderEvents');
  },
  "the operator's view": async ({ as, demo }) => {
    await as.operator('listAnyAccounts', 'readAnyAccount', 'createStoreKey', 'createAccount', 'setAccountLimits');
    await as.operator('renameAccount', 'createKey', 'revokeKey', 'listAnyKeys', 'listAnyStores', 'readAnyStore');
    await as.operator('setStoreChannels', 'listFeedStores', 'countOrigins', 'readStoreSettings');
    const { db } = demo.app.service.deps;
    const webhook = {
      channel: 'webhook',
      target: 'https://pos.example.com/doorstep',
      signingSecret: 'whsec_none',
    } as const;
    await putChannel(db, EXAMPLE_STORE_ID, webhook, demo.app.now());
    await as.operator('listAnyProducts', 'setAnyProduct', 'rotateStoreSecret');
    await removeChannel(db, EXAMPLE_STORE_ID, 'webhook');
    await as.operator('setStoreSwitches', 'setStoreAgreement', 'delistStore', 'relistStore');
    await as.operator('listImports', 'readImport', 'listMerges', 'undoMerge');
    await as.operator('readServiceHealth', 'listPlugins', 'listOperatorActions', 'readOperatorPage');
    await as.operator('readOperatorFile');
    await as.operator('readOperator', 'listOperators', 'inviteOperator', 'setOperator', 'createOperatorCode');
    await as.operator('createOperatorKey');
    await as.operator('readBranding', 'setBranding', 'checkBranding', 'verifyTrackingHost');
    await as.operator('rotateTokens', 'retireTokens', 'switchDuty', 'setAlertWebhook');
    await as.operator('geocodeForOperator', 'addManualStore', 'readManualStore', 'setManualStore');
    await as.operator('setStoreTerms', 'readStoreTerms');
  },
  'the console of a store': async ({ as, sendOtherwise }) => {
    await as.operator('inviteStore', 'sendStoreInvitation');
    await as.nobody('signInToConsole', 'signOutOfConsole');
    await as.console('listConsoleSessions', 'revokeConsoleSession', 'readStore', 'listStoreChannels');
    await as.console('addStoreStaff', 'listStoreStaff', 'replaceStoreStaffCode', 'removeStoreStaff');
    await as.console('listStoreProducts', 'setStoreProduct', 'setStoreOption', 'pauseStore', 'resumeStore');
    await as.console('readStoreMenu', 'addStoreMenuCategory', 'addStoreMenuItem', 'editStoreMenuItem');
    await as.console('readStoreMenuItem', 'listStoreMenuItems', 'sortStoreMenu', 'listStoreMenuChanges');
    await as.console('endStoreMenuEdit', 'undoStoreMenuChange', 'listStoreMenuItems');
    await as.console('removeStoreMenuItem', 'readStoreMenu');
    await as.console('addStoreMenuCategory', 'editStoreMenuCategory', 'removeStoreMenuCategory');
    await as.console('readStoreMinutes', 'setStoreBusy', 'setStoreHours', 'setStoreKitchen');
    await as.console('setStorePhotos', 'setStoreLanguage');
    await as.console('readConsole', 'readNewOrder', 'readConsoleFile');
    await sendOtherwise('console', 'addStorePhoto', { bytes: await givenPhoto() });
    await as.nobody('readPhoto');
  },
  'live orders: the link of an offer, the printer, the operator': async (on) => {
    const { as } = on;
    await liveOrder(on);
    await readLink(on);
    await on.demo.app.service.deps.db.updateTable('storeNotices').set({ state: 'sent' }).execute();
    await as.operator('resendAnyOrder');
    await as.nobody('readLinkedOrder', 'readLinkedTicket');
    await as.console('printStoreTicket');
    await as.operator('listWaitingOrders', 'streamWaitingOrders', 'listAnyOrders', 'exportAnyOrders');
    await as.operator('readTrends', 'listDuties');
    await liveOrder(on);
    await as.operator('acknowledgeAnyOrder', 'confirmAnyOrder', 'readyAnyOrder', 'readAnyOrder');
    await as.console('assignStoreDriver');
    await as.operator('pickUpAnyOrder', 'completeAnyOrder');
    await liveOrder(on);
    await as.operator('advanceAnyOrder', 'cancelAnyOrder');
  },
  'an order that its store does not confirm': async (on) => {
    await liveOrder(on);
    await on.demo.app.advance({ minutes: 12 });
    await lookAtAlerts(on.demo.app.service.deps);
    await on.as.operator('listAlerts', 'acknowledgeAlert');
  },
  webhooks: async ({ as, client, demo }) => {
    client.answers.set('receiveWebhookTest', JSON.parse(testBody(demo.app.now())));
    await as.account('addWebhook', 'readWebhook', 'testWebhook', 'replayWebhook');
    await as.operator('replayWebhookCall', 'listWebhookDeliveries', 'rotateAccountSecret');
    await as.account('removeWebhook');
  },
  'statements of stores': ({ as }) =>
    as.console('readStatement', 'downloadStatement', 'readDriversSheet', 'downloadDriversSheet'),
  "statements in the operator's view": ({ as }) =>
    as.operator(
      'listStatements',
      'readAnyStatement',
      'downloadStatements',
      'exportJournal',
      'listTaxes',
      'downloadTaxes',
      'closeStatements',
    ),
  'tips owed to drivers': async ({ as, demo }) => {
    const { db } = demo.app.service.deps;
    // As if a courier company had delivered the live order before its tip was raised.
    await sql`update ledger_orders set state = state || '{"isOwnDelivery": false}' where mode = 'live'`.execute(db);
    await sql`insert into order_tips (order_id, attempt, tip_cents, cents, state, started_at)
      select order_id, 1, 800, 300, 'charged', completed_at from orders
      where mode = 'live' and status = 'completed'`.execute(db);
    await as.operator('listOwedTips', 'markTipPaid');
  },
  'promotions of a store, an account and the operator': async ({ as, sendOtherwise }) => {
    const steps = (of: string) => ['show', 'change', 'pause', 'resume', 'end'].map((step) => `${step}${of}Promotion`);
    await as.console('createStorePromotion', 'listStorePromotions', ...steps('Store'));
    await as.live('createAccountPromotion', 'listAccountPromotions', ...steps('Account'));
    const funding = ['store', 'account'].map((payer) => ({ payer, percent: 50 }));
    const change = { code: 'SHARED5', funding, stores: [EXAMPLE_STORE_ID] };
    await sendOtherwise('live', 'createAccountPromotion', { change });
    await as.console('acceptStorePromotion');
    await as.console('createStoreNote', 'listStoreNotes', 'endStoreNote');
    await as.operator('createNote', 'listNotes', 'endNote');
    await as.operator('listPromotions', 'createPromotion', ...steps(''));
  },
  'the brand of a shop, set by the owner of its store': async ({ as, demo }) => {
    const { db } = demo.app.service.deps;
    const named = { mode: 'live', storeIds: [EXAMPLE_STORE_ID] } as const;
    await db.transaction().execute((tx) => setShop(tx, demo.accountId, named, demo.app.now()));
    await db.updateTable('brandings').set({ ownerLook: true }).where('accountId', '=', demo.accountId).execute();
    await as.console('listStoreBrands', 'setStoreBrand');
  },
  'the forgetting of users': async ({ as, sendOtherwise }) => {
    const quoted = { place_order: false, user_id: 'user-2', charge_user: false, payment_method_id: undefined };
    await as.account('readInventory');
    await sendOtherwise('account', 'createOrder', { change: quoted });
    await as.account('forgetUser');
    await as.operator('forgetAnyUser');
  },
  'the sessions of operators': ({ as }) => as.operator('listOperatorSessions', 'revokeAnySession'),
  'the sign-in of an operator, by email and at an issuer': async (on) => {
    await signInByMail(on);
    await signInAtIssuer(on);
  },
  'the shop, at the host of the service and at that of an account': async ({ as, demo, sendOtherwise }) => {
    const { db, trackingSites } = demo.app.service.deps;
    const on = { mode: 'live', near: null, isDefault: true } as const;
    await db.transaction().execute((tx) => setShop(tx, demo.accountId, on, demo.app.now()));
    await as.nobody('readShopOfDemo', 'readShopFile', 'readShopStoreOfDemo', 'readShopCodeOfDemo');
    await as.nobody('readShopOrdersOfDemo');
    await as.nobody('readShopOfAccount', 'readShopStoreOfAccount', 'readShopCodeOfAccount', 'readShopOrdersOfAccount');
    await sql`update brandings set tracking_host_verified_at = now()`.execute(db);
    await trackingSites.refresh();
    for (const page of ['readShopStore', 'readShopCode', 'readShopOrders', 'readShopSitemap']) {
      await sendOtherwise('nobody', page, { headers: { host: TRACKING_HOST } });
    }
  },
  'the sign-in of a customer, for a program': async (on) => {
    const { db, trackingSites } = on.demo.app.service.deps;
    await db.transaction().execute((tx) => setShop(tx, on.demo.accountId, { mode: 'sandbox' }, on.demo.app.now()));
    await sql`update brandings set tracking_host_verified_at = now()`.execute(db);
    await trackingSites.refresh();
    await signInCustomer(on);
    await on.as.account('saveCustomer', 'readCustomer', 'deleteCustomer');
    await on.as.operator(
      'setAgentRules',
      'addOauthClient',
      'listOauthClients',
      'rotateOauthSecret',
      'removeOauthClient',
    );
  },
  'the service itself': async ({ as, client, demo }) => {
    await as.nobody('readLiveness', 'readReadiness', 'readNodeReadiness', 'readMetrics', 'readOpenApi', 'readLlmsText');
    await as.nobody('readStart', 'readStartFile', 'readFavicon', 'readRobots', 'readSecurityContact');
    const { headers } = await client.send('readReference', demo.callers.nobody);
    const { location } = headers;
    await client.visit(String(location));
    await as.nobody('readReferenceFile', 'readDocsFront', 'readDocsPage', 'readDocsFile', 'readDocsImage');
    await as.nobody('readDocsDecision', 'readDocsWords');
  },
  'goods by weight, and a card that does not hold their money any longer': async (on) => {
    const { as, demo, sendOtherwise } = on;
    const { db, tokens } = demo.app.service.deps;
    const sold = db.selectFrom('products').select(['storeId', 'productNo']).where('weight', 'is not', null);
    const product_id = sealProduct(tokens, await sold.executeTakeFirstOrThrow());
    const orderOf = async (...steps: readonly string[]) => {
      await as.account('createPaymentMethod');
      await sendOtherwise('account', 'createOrder', { change: { items: [{ product_id, quantity: 4 }], pickup: true } });
      for (const event of steps) await sendOtherwise('account', 'advanceSandboxOrder', { change: { event } });
    };
    await orderOf('confirm', 'ready', 'complete');
    await as.account('listOrderEvents');
    await orderOf('confirm');
    await sql`update sandbox_gateway_cards set charge_status = 'declined', decline_code = 'expired_card'`.execute(db);
    await demo.app.advance({ hours: 6 * 24, minutes: 1 });
    await as.account('listOrderEvents');
  },
};
