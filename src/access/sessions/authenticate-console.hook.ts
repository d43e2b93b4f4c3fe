import type { FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { endpointOf } from '../../platform/http/endpoint-of.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { CHALLENGE, readApiKey, readIdToken } from '../accounts/key-in.ts';
import type { LookUpKey } from '../accounts/key-look-ups.cache.ts';
import { readSessionToken, refuseCrossSite } from './console-cookie.ts';
import type { Merchant } from './merchant.ts';
import { type OperatorRole, requireRole } from './operator.ts';
import { type ConsoleSession, findSession, markSeen, SEEN_EVERY_MINUTES } from './sessions.db.ts';
import { OPERATOR_KEY_PREFIX } from './sign-in.flow.ts';
import { findStoreKey, STORE_KEY_PREFIX } from './store-keys.db.ts';

/*
 * Authenticates requests of the consoles: a session's cookie, a key or the link of one order, each to the store or
 * operator that it acts for.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the routes of the Store API. */
    merchant: Merchant;
    /** Set on the routes of operators and of the console. */
    session: ConsoleSession;
  }
  interface FastifyContextConfig {
    /** Who may call it instead of an account: a store or an operator, with a key or a console session. */
    audience?: 'store' | 'operator';
    /** Minimum role of an operator who calls it; mandatory on operators' endpoints (`requireDecisions`). */
    role?: OperatorRole;
    /** Whether only a store's owner or a store key may call it, and not its staff; `session`: not even a store key. */
    ownerOnly?: true | 'session';
  }
}

const LINK_PREFIX = 'ds_link_';

const notSignedIn = () =>
  new Refusal(
    'missing_api_key',
    "Send a store's or an operator's key in the Id-Token header, or sign in to the console.",
    CHALLENGE,
  );
const ownersOnly = () => new Refusal('role_not_allowed', "Only the store's owner can do this, in the console.");
const notValid = () => new Refusal('invalid_api_key', "This key, link or session isn't valid here.", CHALLENGE);

type Deps = { db: Db; clock: Clock; config: Config; lookUpKey?: LookUpKey };

/** Finds the order of a one-order link; undefined if the link is unknown or its order has ended. */
export type FindLinkedOrder = (db: Db, link: string) => Promise<LinkedOrder | undefined>;
type LinkedOrder = Pick<Merchant, 'storeId' | 'mode'> & { orderId: string };

const WITHOUT_QUEUE: LookUpKey = (_kind, _key, _client, read) => read();

/** Authenticates a request to the routes of stores or operators, and records whom it acts for. */
export type AuthenticateConsole = (request: FastifyRequest, audience: 'store' | 'operator') => Promise<void>;

/**
 * Stores authenticate by a store key, a one-order link or a console session; operators by a key or a session. Each
 * request looks it up, so a revocation takes effect at once. Refuses with missing_api_key, invalid_api_key or
 * cross_site_request; operators below the endpoint's role, and staff and keys at endpoints of the owner, with
 * role_not_allowed.
 */
export function createAuthenticateConsole(deps: Deps & { findLinkedOrder: FindLinkedOrder }): AuthenticateConsole {
  return async (request, audience) => {
    const { headers } = request;
    // A proxy in front of the pages may send its own Authorization header alongside the session cookie.
    const takesBearer = audience === 'store' && readSessionToken(headers.cookie, deps.config.baseUrl) === undefined;
    const key = takesBearer ? readApiKey(headers) : readIdToken(headers);
    if (audience === 'operator' && key.startsWith(OPERATOR_KEY_PREFIX)) {
      request.session = await sessionWith(deps, request, key);
      requireRole(request.session, endpointOf(request).config.role);
      return;
    }
    if (key !== '') {
      request.merchant = await merchantWithKey(deps, request, audience === 'store' ? key : '');
      return;
    }
    const session = await authenticateSession(deps, request);
    refuseCrossSite(request, deps.config.baseUrl);
    if ((audience === 'operator') !== (session.storeId === null)) throw notValid();
    const { role, ownerOnly } = endpointOf(request).config;
    if (audience === 'operator') requireRole(session, role);
    if (ownerOnly && session.staffId !== null) throw ownersOnly();
    request.session = session;
    if (session.storeId !== null) request.merchant = merchantOfSession(session, session.storeId);
  };
}

async function merchantWithKey(
  deps: Deps & { findLinkedOrder: FindLinkedOrder },
  request: FastifyRequest,
  key: string,
): Promise<Merchant> {
  const { lookUpKey = WITHOUT_QUEUE } = deps;
  const find = () => lookUpKey('store', key, request.client.name, () => merchantOfKey(deps, key));
  const merchant = key === '' ? undefined : await find();
  if (!merchant) throw notValid();
  if (endpointOf(request).config.ownerOnly === 'session') throw ownersOnly();
  const isPos = merchant.source === 'key' && request.headers['x-source'] === 'pos';
  return { ...merchant, isPos };
}

async function merchantOfKey(
  { db, findLinkedOrder }: { db: Db; findLinkedOrder: FindLinkedOrder },
  key: string,
): Promise<Merchant | undefined> {
  if (key.startsWith(LINK_PREFIX)) {
    const link = key.slice(LINK_PREFIX.length);
    return merchantOfLink(link, await findLinkedOrder(db, link));
  }
  if (!key.startsWith(STORE_KEY_PREFIX)) return undefined;
  const found = await findStoreKey(db, sha256(key));
  return found && { ...found, source: 'key', id: found.keyId, orderId: null };
}

function merchantOfLink(link: string, order: LinkedOrder | undefined): Merchant | undefined {
  return (
    order && {
      storeId: order.storeId,
      mode: order.mode,
      accountId: null,
      source: 'link',
      id: link,
      orderId: order.orderId,
    }
  );
}

export function merchantOfSession({ sessionId, accountId }: ConsoleSession, storeId: string): Merchant {
  return {
    storeId,
    mode: accountId === null ? 'live' : 'sandbox',
    accountId,
    source: 'session',
    id: sessionId,
    orderId: null,
  };
}

/** Returns the session of a request. Refuses with missing_api_key, or invalid_api_key for a revoked or expired one. */
export async function authenticateSession(deps: Deps, request: FastifyRequest): Promise<ConsoleSession> {
  const token = readSessionToken(request.headers.cookie, deps.config.baseUrl);
  if (token === undefined) throw notSignedIn();
  // A key is not accepted as a cookie, because a cookie's token is renewed each day.
  if (token.startsWith(OPERATOR_KEY_PREFIX)) throw notValid();
  return sessionWith(deps, request, token);
}

async function sessionWith(deps: Deps, request: FastifyRequest, token: string): Promise<ConsoleSession> {
  const { db, clock, lookUpKey = WITHOUT_QUEUE } = deps;
  const now = clock.now();
  const session = await lookUpKey('session', token, request.client.name, () => findSession(db, sha256(token), now));
  if (!session) throw notValid();
  if (session.seenAt.until(now).total('minutes') >= SEEN_EVERY_MINUTES) await markSeen(db, session.sessionId, now);
  return session;
}
