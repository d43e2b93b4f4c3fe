import type { PublicHttp } from 'doorstep/public-http';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { insertLetters } from '../../notify/outbox/letters.db.ts';
import { letterQueue, type OutboxDeps, type Written } from '../../notify/outbox/send-letters.flow.ts';
import { type LeasedPlatformCall, PLATFORM_CALLS } from '../../notify/webhooks/platform-calls.db.ts';
import type { EventHandler } from '../../ordering/order/dispatch-events.flow.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { findOrder } from '../../ordering/order/orders.db.ts';
import { orderLocale } from '../../ordering/order/wording.ts';
import type { Config } from '../../platform/config/config.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { LeasedQueue } from '../../platform/jobs/leased-queue.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { deleteOrderedCarts, findCheckoutOfOrder, findProvenOrders } from './checkouts.db.ts';
import { signRequest } from './message-signature.ts';
import { PlatformProfiles } from './platform-profiles.cache.ts';
import { presentOrder } from './present-order.ts';
import { SHOP_ORDER, VERSION } from './profile.ts';
import { createSigningKeys } from './signing-keys.cache.ts';
import { currentKey, type SigningKey } from './signing-keys.ts';

/* Calls to platforms about the orders that their checkouts became: the whole order after each event. */

/** A node's calls: a platform that hangs delays only its own, and all that hang together leave half of the slots. */
const LIMITS = { max: 50, perOwner: 10, first: 4, slowMs: 2000, maxSlow: 25 };

type Deps = OutboxDeps &
  Pick<OrderDeps, 'db' | 'clock' | 'trackingSites'> & { config: Config; publicHttp: Pick<PublicHttp, 'get' | 'post'> };

/** Ends the carts that became orders; writes one call per event of an order that a proven platform's checkout became. */
export function platformEvents({ clock, config }: Pick<Deps, 'clock' | 'config'>): EventHandler {
  return async (tx, events) => {
    if (config.ucp === 'off') return;
    const placed = events.flatMap(({ orderId, type }) => (type === 'order.placed' ? [orderId] : []));
    if (placed.length > 0) await deleteOrderedCarts(tx, placed);
    const profiles = await findProvenOrders(tx, [...new Set(events.map(({ orderId }) => orderId))]);
    const now = clock.now();
    const first = { state: 'pending', attempts: 0, attemptsBefore: 0, nextAttemptAt: now, createdAt: now };
    const calls = events.flatMap(({ orderId, sequence, type }) => {
      const profileUrl = profiles.get(orderId);
      if (profileUrl === undefined) return [];
      const webhookId = type === 'order.placed' ? orderId : `evt_${orderId}_${sequence}`;
      return [{ webhookId, profileUrl, orderId, sequence, type, ...first }];
    });
    await insertLetters(tx, PLATFORM_CALLS, calls);
  };
}

/** Creates the queue of calls to platforms, which are repeated as those to accounts are. */
export function callPlatforms(deps: Deps): LeasedQueue<LeasedPlatformCall> {
  const { clock, config } = deps;
  const signingKeys = createSigningKeys(deps);
  const profiles = new PlatformProfiles(deps);
  return letterQueue<LeasedPlatformCall>(deps, {
    name: 'calling platforms',
    noun: 'a call to a platform',
    table: PLATFORM_CALLS,
    limits: LIMITS,
    retries: { delaysSeconds: config.webhookRetrySchedule },
    ownerOf: ({ profileUrl }) => profileUrl,
    keyOf: ({ webhookId }) => ({ webhookId }),
    idsOf: ({ webhookId, orderId }) => ({ webhookId, orderId }),
    workOf: ({ orderId, sequence, webhookId, attempts }) => ({
      name: 'platform call',
      orderId,
      sequence,
      attributes: { 'doorstep.webhook.id': webhookId, 'doorstep.attempt': attempts },
    }),
    async write(call) {
      const now = clock.now();
      const key = currentKey(await signingKeys(), now);
      return key ? writeCall(deps, profiles, call, key, now) : 'nothing';
    },
    columnsOf: ({ status }) => ({ lastStatus: status }),
  });
}

/** The order of a call as it is now; `nothing` where the platform is not called about orders. */
async function writeCall(
  { db, trackingSites, config }: Deps,
  profiles: PlatformProfiles,
  { webhookId, orderId, profileUrl, attempts }: LeasedPlatformCall,
  key: SigningKey,
  now: Temporal.Instant,
): Promise<Written> {
  const checkout = await findCheckoutOfOrder(db, orderId);
  if (!checkout) return 'nothing';
  const { accountId, mode } = checkout;
  const order = await findOrder(db, { accountId, mode, keyId: '' }, orderId);
  if (!order?.placedAt) return 'nothing';
  // After a failure the platform may have moved.
  const reading = attempts > 1 ? profiles.again(profileUrl, profileUrl) : profiles.of(profileUrl, profileUrl);
  const { ordersUrl: url } = await reading.catch((error) => {
    throw error instanceof Refusal ? new OutsideError('webhook', error.code, { retryable: true }) : error;
  });
  if (url === undefined) return 'nothing';
  const [events, { customerCancel, language }] = await Promise.all([
    listEvents(db, orderId),
    findBranding(db, accountId),
  ]);
  const locale = orderLocale(order, { language });
  const site = trackingSites.siteOf(accountId);
  const siteUrl = accountId === config.ucpAccount ? config.baseUrl : site.siteUrl;
  const ucp = { version: VERSION, status: 'success', capabilities: { [SHOP_ORDER]: [{ version: VERSION }] } };
  const body = JSON.stringify({ ucp, ...presentOrder({ order, events, checkout, site, customerCancel, locale }) });
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': `profile="${siteUrl}/.well-known/ucp"`,
    'webhook-timestamp': String(epochSeconds(now)),
    'webhook-id': webhookId,
  };
  return { channel: 'call', url, headers: signRequest(key, { url, headers, body }, now), body };
}
