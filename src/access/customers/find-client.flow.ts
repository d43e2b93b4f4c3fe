import { timingSafeEqual } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { parseJsonObject } from '../../platform/lib/json-object.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { findAgentRules } from './agent-rules.db.ts';
import { isAllowedHost } from './agent-rules.ts';
import {
  type Client,
  type ClientMethod,
  isClientId,
  isDocumentUrl,
  isDynamicSecret,
  openDynamicClient,
  readClientDocument,
} from './client.ts';
import { findRegisteredClient, type RegisteredClient } from './clients.db.ts';
import type { SignInSite } from './customer.ts';
import { OauthError } from './oauth-error.ts';
import type { OutsideDocuments, UsedAssertions } from './outside-documents.cache.ts';

/* Finds clients of a site, and checks their credentials at the token endpoint. */

const MAX_DOCUMENT_BYTES = 16 * 1024;
const MAX_KEYS_BYTES = 64 * 1024;

export type ClientDeps = {
  db: Db;
  clock: Clock;
  tokens: TokenSealer;
  documents: OutsideDocuments;
  assertions: UsedAssertions;
  config: Pick<Config, 'webhookAllowPrivate'>;
};

/** Why there is no client: unknown, its document cannot be read, it demands a shared secret, or its host may not act. */
export type NoClient = 'unknown' | 'unreadable' | 'secret' | 'blocked';

/** Finds a client by its ID that may act. `isRefresh`: an unreachable document's last copy counts for a week. */
export async function findClient(
  deps: ClientDeps,
  { accountId }: Pick<SignInSite, 'accountId'>,
  clientId: string,
  { isRefresh = false, redirectUri }: { isRefresh?: boolean; redirectUri?: string } = {},
): Promise<Client | NoClient> {
  const dynamic = openDynamicClient(deps.tokens, accountId, clientId, redirectUri);
  const registered = dynamic ? undefined : await findRegisteredClient(deps.db, accountId, clientId);
  if (registered) return registeredClient(registered);
  const client = dynamic ?? (await readDocument(deps, accountId, clientId, isRefresh));
  if (typeof client === 'string') return client;
  return isAllowedHost(await findAgentRules(deps.db, accountId), client.host ?? '') ? client : 'blocked';
}

async function readDocument(
  { config, documents }: ClientDeps,
  accountId: string,
  clientId: string,
  isRefresh: boolean,
) {
  if (!isDocumentUrl(clientId, config.webhookAllowPrivate)) return 'unknown';
  const wanted = { accountId, maxBytes: MAX_DOCUMENT_BYTES, use: isRefresh ? 'stale' : 'fresh' } as const;
  const text = await documents.of(clientId, wanted);
  return (text === undefined ? undefined : readClientDocument(text, clientId)) ?? 'unreadable';
}

function registeredClient({ clientId, name, redirectUris, secretHash, jwksUri }: RegisteredClient): Client {
  const host = redirectUris.map((uri) => URL.parse(uri)).find((url) => url?.protocol === 'https:')?.hostname ?? null;
  const method: ClientMethod = jwksUri !== null ? 'private_key_jwt' : secretHash === null ? 'none' : 'client_secret';
  return { clientId, kind: 'registered', name, host, redirectUris, methods: [method], jwksUri };
}

/** A token request's claims about its client. */
export type ClientProof = {
  clientId: string;
  /** By the header `Authorization: Basic` or the field `client_secret`. */
  secret?: string | undefined;
  /** A signed JWT (RFC 7523). */
  assertion?: string | undefined;
};

/** The client of a request, and whether it proved itself. Refuses with `invalid_client`. */
export async function authenticateClient(
  deps: ClientDeps,
  site: SignInSite,
  { clientId, secret, assertion }: ClientProof,
  isRefresh = false,
): Promise<{ client: Client; isConfidential: boolean }> {
  const id = clientId || subjectOf(assertion);
  const client = !isClientId(id) ? 'unknown' : await findClient(deps, site, id, { isRefresh });
  if (typeof client === 'string') throw invalidClient('There is no such client.');
  if (assertion !== undefined) {
    await verifyAssertion(deps, site, client, assertion);
    return { client, isConfidential: true };
  }
  if (secret !== undefined && client.methods.includes('client_secret')) {
    if (!(await isSecret(deps, site, client, secret))) throw invalidClient('The client secret is incorrect.');
    return { client, isConfidential: true };
  }
  if (!client.methods.includes('none')) throw invalidClient(`This client must authenticate with ${client.methods[0]}.`);
  return { client, isConfidential: false };
}

const invalidClient = (description: string) => new OauthError('invalid_client', description);

async function isSecret(
  { db, clock, tokens }: ClientDeps,
  { accountId }: SignInSite,
  { clientId, kind }: Client,
  secret: string,
): Promise<boolean> {
  if (kind === 'dynamic') return isDynamicSecret(tokens, clientId, secret);
  const known = await findRegisteredClient(db, accountId, clientId);
  if (!known) return false;
  const { secretHash, previousHash, previousUntil } = known;
  const isPreviousValid = previousUntil !== null && Temporal.Instant.compare(clock.now(), previousUntil) < 0;
  const hash = sha256(secret);
  return [secretHash, isPreviousValid ? previousHash : null].some(
    (each) => each !== null && timingSafeEqual(each, hash),
  );
}

/** The subject that an assertion claims, until it is verified. */
function subjectOf(assertion = ''): unknown {
  try {
    return decodeJwt(assertion).sub;
  } catch {
    return undefined;
  }
}

const ALGORITHMS = ['RS256', 'PS256', 'ES256'];
const MAX_LIFE_SECONDS = 600;
async function verifyAssertion(deps: ClientDeps, site: SignInSite, client: Client, assertion: string): Promise<void> {
  if (!client.methods.includes('private_key_jwt') || client.jwksUri === null) {
    throw invalidClient('This client has no keys for signing an assertion.');
  }
  const now = deps.clock.now();
  const options = {
    algorithms: ALGORITHMS,
    issuer: client.clientId,
    subject: client.clientId,
    audience: [site.issuer, `${site.issuer}/oauth/token`],
    requiredClaims: ['exp', 'jti'],
    currentDate: new Date(now.epochMilliseconds),
    clockTolerance: 30,
  };
  const verify = async (use: 'fresh' | 'again') =>
    (await jwtVerify(assertion, createLocalJWKSet(await readKeys(deps, site, client.jwksUri ?? '', use)), options))
      .payload;
  const { exp = 0, jti = '' } = await verify('fresh')
    .catch((error) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verify('again');
      throw error;
    })
    .catch((error) => {
      if (error instanceof errors.JOSEError) throw invalidClient('The assertion is invalid.');
      throw error;
    });
  const name = sha256(`${client.clientId}\n${jti}`).toString('base64url');
  const isTooLong = exp - now.epochMilliseconds / 1000 > MAX_LIFE_SECONDS + options.clockTolerance;
  if (isTooLong || !deps.assertions.isFirstUse(name, MAX_LIFE_SECONDS + 2 * options.clockTolerance)) {
    throw invalidClient(`An assertion must expire within ${MAX_LIFE_SECONDS} seconds and can be used once.`);
  }
}

async function readKeys(
  { documents }: ClientDeps,
  { accountId }: SignInSite,
  url: string,
  use: 'fresh' | 'again',
): Promise<JSONWebKeySet> {
  const keys = parseJsonObject((await documents.of(url, { accountId, maxBytes: MAX_KEYS_BYTES, use })) ?? '')?.keys;
  if (!Array.isArray(keys)) throw invalidClient("This client's keys can't be read.");
  return { keys };
}
