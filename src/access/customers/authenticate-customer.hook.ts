import type { FastifyRequest } from 'fastify';
import type { Context } from '../../platform/db/context.ts';
import { Refusal, type RefusalExtras } from '../../platform/http/refusal.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { KeyCaller } from '../accounts/account.ts';
import type { Authenticate } from '../accounts/authenticate.hook.ts';
import type { LookUpKey } from '../accounts/key-look-ups.cache.ts';
import { type CustomerScope, DEFAULT_SCOPE_TEXT, resourceMetadataUrl, type SignInSite, scopeText } from './customer.ts';
import { isAccessToken } from './give-tokens.flow.ts';
import { findBearer, type TokenBearer } from './grants.db.ts';

/* Authenticates requests at an account's own host: a customer's token, or the account's key. */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether tokens of customers may call it, only at their account's own host. */
    takesCustomers?: true;
  }
}

/** The caller of a customer's token: the account, limited to the user, and the customer's consent. */
export type CustomerCaller = KeyCaller & { bearer: TokenBearer };

export type AuthenticateAtSite = (
  site: SignInSite,
  path: string,
  key: string,
  request: FastifyRequest,
) => Promise<KeyCaller>;

type Deps = Context & { authenticate: Authenticate; lookUpKey: LookUpKey; offers: string };

/**
 * Returns the caller of a request at a site. Refuses with missing_api_key or invalid_api_key, and a challenge that
 * leads programs to the sign-in.
 */
export function createAuthenticateAtSite(deps: Deps): AuthenticateAtSite {
  const { db, clock, authenticate, lookUpKey, offers: offersText } = deps;
  return async (site, path, key, request) => {
    if (key === '') throw new Refusal('missing_api_key', 'Sign in, or send your API key.', challenge(site, path));
    const refusal = new Refusal('invalid_api_key', "This token or key isn't valid here.", {
      ...challenge(site, path, 'invalid_token'),
    });
    if (!isAccessToken(key)) {
      const caller = await authenticateKey(key, request, refusal);
      if (caller.accountId !== site.accountId) throw refusal;
      return caller;
    }
    const find = () => findBearer(db, sha256(key), clock.now(), offersText);
    const bearer = await lookUpKey('customer', key, request.client.name, find);
    if (bearer?.accountId !== site.accountId || bearer.mode !== site.mode) throw refusal;
    const { accountId, mode, userId, grantId: keyId, offers } = bearer;
    const scopes = ['read', 'order'] as const;
    const caller: CustomerCaller = { accountId, mode, userId, keyId, scopes, origins: null, offers, bearer };
    return caller;
  };

  async function authenticateKey(key: string, request: FastifyRequest, refusal: Refusal): Promise<KeyCaller> {
    try {
      return await authenticate(key, request);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_api_key') throw refusal;
      throw error;
    }
  }
}

/** Whom a caller acts for; undefined for an account key. */
export const bearerOf = (caller: KeyCaller): TokenBearer | undefined =>
  'bearer' in caller ? (caller as CustomerCaller).bearer : undefined;

/** The challenge of a request without a valid token, with the scopes that a program asks for first. */
export function challenge(site: SignInSite, path: string, error?: 'invalid_token'): RefusalExtras {
  return bearerChallenge(site, path, { ...(error && { error }), scope: DEFAULT_SCOPE_TEXT });
}

function bearerChallenge(site: SignInSite, path: string, more: Readonly<Record<string, string>>): RefusalExtras {
  const members = { realm: site.issuer, resource_metadata: resourceMetadataUrl(site, path), ...more };
  const text = Object.entries(members).map(([name, value]) => `${name}="${value}"`);
  return { headers: { 'www-authenticate': `Bearer ${text.join(', ')}` } };
}

/** Refuses a token without a scope: 403, naming the whole set that a program then asks for. */
export function requireScope(site: SignInSite, path: string, { scopes }: TokenBearer, needed: CustomerScope): void {
  if (scopes.includes(needed)) return;
  const scope = scopeText([...scopes, needed]);
  const extras = bearerChallenge(site, path, { error: 'insufficient_scope', scope });
  throw new Refusal('scope_not_allowed', `The customer has not allowed ${scopeText([needed])}.`, extras);
}
