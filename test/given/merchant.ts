import assert from 'node:assert/strict';
import { insertOperator, type NewOperator } from '../../src/access/sessions/operators.db.ts';
import { addStaff } from '../../src/access/sessions/set-staff.flow.ts';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { issueStoreKey } from '../../src/access/sessions/store-keys.db.ts';
import { type ChannelChanges, setChannels } from '../../src/fulfillment/store-channels/set-channels.flow.ts';
import { storeLinkOf } from '../../src/fulfillment/store-channels/store-notice.ts';
import { saveLinkHash } from '../../src/fulfillment/store-channels/store-notices.db.ts';
import { sha256 } from '../../src/platform/lib/sha256.ts';
import { type App, type Client, clientOf, done } from '../harness.ts';

/** A client with a store key, for live orders or (given an account) that account's sandbox orders. */
export async function givenStoreKey(app: App, storeId: string, accountId: string | null = null): Promise<Client> {
  const { key } = await issueStoreKey(app.service.deps.db, { storeId, accountId }, app.now());
  return clientOf(app.service, '', key);
}

/** Headers of a browser's same-site change request to a service without BASE_URL. */
export const SAME_SITE = { host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' };

type Console = Client & { cookie: string };

/** Ends all sessions of stores and operators. */
export async function endSessions({ service: { deps }, now }: App): Promise<void> {
  await deps.db.updateTable('consoleSessions').set({ revokedAt: now().toString() }).execute();
}

/**
 * A client with a console session: of a store (given an account, of its sandbox), or of an admin (null). `cookie` is
 * the browser's.
 */
export async function givenConsole(app: App, storeId: string | null, accountId: string | null = null) {
  return storeId === null ? givenOperator(app) : openConsole(app, { storeId, accountId });
}

/** A client with an operator's session. */
export async function givenOperator(
  app: App,
  given: Partial<NewOperator> = {},
): Promise<Console & { operatorId: string }> {
  const operator = { name: 'Ana Ruiz', email: null, phone: null, role: 'admin', ...given } as const;
  const { operatorId } = (await insertOperator(app.service.deps.db, operator, app.now())) ?? assert.fail('no operator');
  return { ...(await openConsole(app, { operatorId })), operatorId };
}

/** A client with the session of a store's staff member. */
export async function givenStaff(
  app: App,
  storeId: string,
  name: string,
): Promise<Console & { staffId: string; code: string }> {
  const { db } = app.service.deps;
  const { staffId, code } = await db.transaction().execute((tx) => addStaff(tx, { storeId, name }, app.now()));
  return { ...(await signIn(app, code)), staffId, code };
}

async function openConsole(app: App, owner: Parameters<typeof issueAccessCode>[1]): Promise<Console> {
  return signIn(app, (await issueAccessCode(app.service.deps.db, owner, app.now())).code);
}

async function signIn(app: App, code: string): Promise<Console> {
  const bare = clientOf(app.service, '', '');
  const { host, origin } = new URL(app.config.baseUrl);
  const sameSite = { ...SAME_SITE, host, origin };
  const reply = await bare.post('/console/sign-in', { code }, sameSite);
  assert.equal(reply.status, 200, reply.text);
  await app.catchUp();
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  const headers = { ...sameSite, cookie };
  return {
    ...bare,
    cookie,
    get: (path, query, more = {}) => bare.get(path, query, { ...headers, ...more }),
    post: (path, body, more = {}) => bare.post(path, body, { ...headers, ...more }),
    patch: (path, body, more = {}) => bare.patch(path, body, { ...headers, ...more }),
    put: (path, body, more = {}) => bare.put(path, body, { ...headers, ...more }),
  };
}

/** A store as an operator adds it, without a menu, and a code for its console. */
export async function givenBareStore(app: App): Promise<{ storeId: string; store: Client; code: string }> {
  const operator = await givenOperator(app);
  const added = operator.post('/operator/stores', {
    name: 'Corner Noodle House',
    type: 'restaurant',
    address: { street_addr: '500 Canal St', city: 'New York', state: 'NY', zipcode: '10013', country: 'US' },
    latitude: 40.7243,
    longitude: -74.0099,
    hours: { operational: 'Mo-Su 11:00-21:00' },
    pickup: { enabled: true, prep_minutes: [15, 25] },
  });
  const { store_id: storeId } = await done(added);
  const { code } = await issueAccessCode(app.service.deps.db, { storeId }, app.now());
  return { storeId, store: await givenStoreKey(app, storeId), code };
}

/** Adds a channel for live orders to a store; defaults to the operator's console. */
export async function givenChannel(app: App, storeId: string, changes: ChannelChanges = { operator: true }) {
  const { db, inventory, clock } = app.service.deps;
  const set = await db.transaction().execute((tx) => setChannels(tx, storeId, changes, clock.now()));
  inventory.evict(storeId);
  await app.catchUp();
  return set ?? assert.fail(`no store ${storeId}`);
}

/** The secret of the link in a store's offer email, which may still be queued. */
export async function givenStoreLink({ service }: Pick<App, 'service'>, orderId: string): Promise<string> {
  const { db, tokens } = service.deps;
  const offer = { orderId, channel: 'email', kind: 'offered', copy: 0 } as const;
  const link = storeLinkOf(tokens, offer);
  await saveLinkHash(db, offer, sha256(link));
  return link;
}
