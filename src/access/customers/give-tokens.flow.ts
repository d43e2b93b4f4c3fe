import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { KeyMode } from '../accounts/account.ts';
import type { Client } from './client.ts';
import { type Customer, type CustomerScope, readResource, readScopes, type SignInSite } from './customer.ts';
import {
  changeToken,
  deleteToken,
  findToken,
  type Grant,
  insertGrant,
  insertTokens,
  lockGrant,
  lockGrantOfCode,
  markExchanged,
  markUsed,
  revokeGrants,
} from './grants.db.ts';
import { OauthError } from './oauth-error.ts';

/*
 * From consent to tokens. A code lives a minute and is exchanged once: a second use revokes the tokens of the first. A
 * public client's refresh token is replaced at each use; reusing one later than a lost response would is theft, and
 * ends the grant.
 */

const CODE_SECONDS = 60;
const CODE_BYTES = 32;
export const ACCESS_SECONDS = 86_400;
const ACCESS_BYTES = 20;
const REFRESH_DAYS = 180;
const REFRESH_BYTES = 32;
/** While a used refresh token returns the same new pair, because its response was lost or it was sent twice. */
const TWIN_SECONDS = 30;

const ACCESS_PREFIXES: Readonly<Record<KeyMode, string>> = { live: 'ds_user_', sandbox: 'ds_user_test_' };
const REFRESH_PREFIX = 'ds_refresh_';

/** Whether a key is the access token of a customer. */
export const isAccessToken = (key: string): boolean => key.startsWith(ACCESS_PREFIXES.live);

type Deps = Context & { tokens: Pick<TokenSealer, 'sign'> };

/** A consent request's question. */
export type AuthorizeRequest = {
  redirectUri: string;
  codeChallenge: string;
  scopes: readonly CustomerScope[];
  resource: string;
  maxOrderCents: number | null;
};

/** Grants the customer's consent, and returns the code the client exchanges. */
export async function grantCode(
  { db, clock }: Context,
  { accountId, mode, userId }: Customer,
  { clientId, name, host }: Client,
  request: AuthorizeRequest,
): Promise<{ code: string; grantId: string }> {
  const at = clock.now();
  const code = randomId('', CODE_BYTES);
  const client = { clientId, clientName: name, clientHost: host ?? '' };
  const grant = { grantId: randomId('gra_'), accountId, mode, userId, ...client, ...request, codeHash: sha256(code) };
  await insertGrant(db, grant, { at, codeExpiresAt: at.add({ seconds: CODE_SECONDS }) });
  return { code, grantId: grant.grantId };
}

type ProvenClient = { client: Client; isConfidential: boolean };
export type TokenPair = { accessToken: string; refreshToken: string; scopes: readonly CustomerScope[] };

const VERIFIER = /^[\w.~-]{43,128}$/;

/** Exchanges a code. Refuses with `invalid_grant` or `invalid_target`. */
export async function exchangeCode(
  { db, clock }: Context,
  site: SignInSite,
  { client, isConfidential }: ProvenClient,
  sent: { code: string; redirectUri: string; verifier: string; resource: string | undefined },
): Promise<TokenPair> {
  const at = clock.now();
  const given = await db.transaction().execute(async (tx) => {
    const grant = await lockGrantOfCode(tx, site.accountId, sha256(sent.code));
    if (grant?.clientId !== client.clientId || grant.revokedAt !== null) return undefined;
    if (grant.exchangedAt !== null) {
      await revokeGrants(tx, { grantId: grant.grantId }, at);
      return undefined;
    }
    if (!isRightExchange(grant, sent, at)) return undefined;
    // A code for the whole site may name any part of it only here.
    const resource = readResource(site, sent.resource);
    const isGranted = resource === grant.resource || grant.resource === site.issuer;
    if (resource === undefined || (sent.resource && !isGranted)) {
      throw new OauthError('invalid_target', 'The code was issued for another resource.');
    }
    await markExchanged(tx, grant.grantId, { isConfidential, at });
    const accessToken = randomId(ACCESS_PREFIXES[grant.mode], ACCESS_BYTES);
    const pair = { accessToken, refreshToken: randomId(REFRESH_PREFIX, REFRESH_BYTES), scopes: grant.scopes };
    await storePair(tx, grant, pair, at);
    return pair;
  });
  if (!given) throw new OauthError('invalid_grant', 'This code is incorrect, already used or expired.');
  return given;
}

function isRightExchange(
  { redirectUri, codeChallenge, codeExpiresAt }: Grant,
  sent: { redirectUri: string; verifier: string },
  at: Temporal.Instant,
): boolean {
  if (Temporal.Instant.compare(at, codeExpiresAt) >= 0 || sent.redirectUri !== redirectUri) return false;
  return VERIFIER.test(sent.verifier) && sha256(sent.verifier).toString('base64url') === codeChallenge;
}

async function storePair(
  tx: Sql,
  grant: Pick<Grant, 'grantId' | 'scopes'>,
  { accessToken, refreshToken, scopes }: Pick<TokenPair, 'accessToken' | 'refreshToken' | 'scopes'>,
  at: Temporal.Instant,
): Promise<void> {
  const { grantId } = grant;
  const access = { kind: 'access', scopes, expiresAt: at.add({ seconds: ACCESS_SECONDS }) } as const;
  const refresh = { kind: 'refresh', scopes: grant.scopes, expiresAt: refreshEnd(at) } as const;
  await insertTokens(tx, [
    { grantId, tokenHash: sha256(accessToken), ...access },
    { grantId, tokenHash: sha256(refreshToken), ...refresh },
  ]);
}

const refreshEnd = (at: Temporal.Instant) => at.add({ hours: 24 * REFRESH_DAYS });

/**
 * Refreshes tokens; `scope` may narrow the access token's permissions. Refuses with `invalid_grant` or `invalid_scope`.
 * `onTheft` runs in the transaction that ends the grant.
 */
export async function refreshTokens(
  deps: Deps & { onTheft(tx: Sql, grant: Grant): Promise<void> },
  site: SignInSite,
  { client, isConfidential }: ProvenClient,
  sent: { refreshToken: string; scope: string | undefined },
): Promise<TokenPair> {
  const at = deps.clock.now();
  const tokenHash = sha256(sent.refreshToken);
  const given = await deps.db.transaction().execute(async (tx) => {
    const grantId = (await findToken(tx, tokenHash))?.grantId;
    const grant = grantId === undefined ? undefined : await lockGrant(tx, grantId);
    // Read under the lock, which a twin may have held.
    const token = grant && (await findToken(tx, tokenHash));
    if (!grant || token?.kind !== 'refresh' || !isAliveFor(grant, site, client)) return undefined;
    if (grant.isConfidential && !isConfidential)
      throw new OauthError('invalid_client', 'Authenticate the client with the same method as before.');
    if (Temporal.Instant.compare(at, token.expiresAt) >= 0) return undefined;
    const scopes = narrowed(grant.scopes, sent.scope);
    await markUsed(tx, grant.grantId, at);
    if (grant.isConfidential) {
      await changeToken(tx, tokenHash, { expiresAt: refreshEnd(at) });
      const accessToken = randomId(ACCESS_PREFIXES[grant.mode], ACCESS_BYTES);
      const pair = { accessToken, refreshToken: sent.refreshToken, scopes };
      await storePair(tx, grant, pair, at);
      return pair;
    }
    if (token.rotatedAt === null) await changeToken(tx, tokenHash, { rotatedAt: at });
    else if (token.rotatedAt.until(at).total('seconds') > TWIN_SECONDS) {
      await revokeGrants(tx, { grantId: grant.grantId }, at);
      await deps.onTheft(tx, grant);
      return undefined;
    }
    const pair = { ...nextPair(deps.tokens, grant.mode, sent.refreshToken, scopes), scopes };
    await storePair(tx, grant, pair, at);
    return pair;
  });
  if (!given)
    throw new OauthError('invalid_grant', 'This refresh token is incorrect, already used, expired or revoked.');
  return given;
}

const isAliveFor = ({ accountId, clientId, revokedAt }: Grant, site: SignInSite, client: Client) =>
  revokedAt === null && accountId === site.accountId && clientId === client.clientId;

/** The pair after a refresh token: the same for twins of one scope, known to no one without the service's secret. */
function nextPair({ sign }: Pick<TokenSealer, 'sign'>, mode: KeyMode, used: string, scopes: readonly string[]) {
  const derive = (kind: string, from: readonly string[]) =>
    [1, 2].map((part) => sign(`${kind}-${part}`, Buffer.from(from.join(' ')))).join('');
  return {
    accessToken: `${ACCESS_PREFIXES[mode]}${derive('next-access', [used, ...scopes])}`,
    refreshToken: `${REFRESH_PREFIX}${derive('next-refresh', [used])}`,
  };
}

function narrowed(granted: readonly CustomerScope[], scope: string | undefined): readonly CustomerScope[] {
  const scopes = readScopes(scope, granted);
  if (scopes.every((each) => granted.includes(each))) return scopes;
  throw new OauthError('invalid_scope', 'A refresh request can only narrow the granted scopes.');
}

/** Revokes a token of the client (RFC 7009): a refresh token ends its grant. Any other text changes nothing. */
export async function revokeToken(
  { db, clock }: Context,
  site: SignInSite,
  client: Client,
  text: string,
): Promise<void> {
  const tokenHash = sha256(text);
  await db.transaction().execute(async (tx) => {
    const token = await findToken(tx, tokenHash);
    const grant = token && (await lockGrant(tx, token.grantId));
    if (!grant || !isAliveFor(grant, site, client)) return;
    if (token.kind === 'refresh') await revokeGrants(tx, { grantId: grant.grantId }, clock.now());
    else await deleteToken(tx, tokenHash);
  });
}
