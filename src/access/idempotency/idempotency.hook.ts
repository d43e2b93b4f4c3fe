import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { endpointOf } from '../../platform/http/endpoint-of.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { elapsedMsOf } from '../../platform/lib/clock.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSecrets } from '../../platform/lib/tokens.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../platform/load/concurrency-limiter.ts';
import { ownerOf } from '../accounts/account.ts';
import { claimKey, findRecord, type HeldClaim, releaseClaim, saveAnswer } from './idempotency.db.ts';
import {
  hashSlowly,
  isFree,
  KEY_MAX_LENGTH,
  type KeyOwner,
  type KeyRecord,
  MAX_FIRST_REQUEST_WAIT_MS,
  REPLAY_HOURS,
  type RecordedAnswer,
  recordedAnswerOf,
  requestDigest,
} from './idempotency.ts';
import { type InFlightRequest, InFlightRequests } from './in-flight-requests.ts';

/**
 * Limits of slow hashes per process: one at a time, because they share threads and processors with compression. One
 * owner's full queue takes about 3 seconds.
 */
export const HASH_LIMITS: Omit<ConcurrencyLimits, 'refusal'> = {
  maxRunning: 1,
  maxRunningOfOwner: 1,
  maxWaiting: 400,
  maxWaitingOfOwner: 60,
};

/** Delays for polling the record of a request that runs in another process; the last one repeats. */
const POLL_MS = [40, 80, 160, 320, 640, 1000];

/** `isRefused`: the response is an error although its status is 200, so it's not an outcome. */
type Claimed = HeldClaim & { inFlight: InFlightRequest; isRefused?: boolean };

declare module 'fastify' {
  interface FastifyRequest {
    /** The claim of this request's `Idempotency-Key`, if it has one. */
    claim: Claimed | undefined;
    /** The part of the body that a repeated request must repeat. Undefined for the whole body. */
    keyedBody: unknown;
  }
  interface FastifyContextConfig {
    /**
     * How many hours the endpoint's responses are replayed, up to MAX_REPLAY_HOURS; REPLAY_HOURS by default. With it,
     * an endpoint of a store or an operator takes keys too, and one of any method that finds its caller itself, before
     * `preHandler`.
     */
    replayHours?: number;
    /** Whether a key has no effect, because the response holds secrets that are kept nowhere. */
    isSecret?(body: unknown): boolean;
  }
}

type Deps = Context & { log: Logger; secrets: TokenSecrets };
/** Computes a request's fingerprint under one of the service's secrets, in the form that its record stores. */
type FingerprintUnder = (secret: string) => Promise<Buffer>;
type Repeatable = {
  owner: KeyOwner;
  key: string;
  fingerprint: Buffer;
  fingerprintUnder: FingerprintUnder;
  replayHours: number;
};
type WaitDeps = Deps & { inFlightRequests: InFlightRequests; cardHashes: CardHashes };

/**
 * Runs a POST with an `Idempotency-Key` once and replays its first response (docs/errors.md#idempotency-keys). Only
 * requests with an owner keep records: on 404, 405 and most public endpoints the header has no effect.
 */
export function idempotencyHook(http: Http, needs: Deps): void {
  const deps: WaitDeps = { ...needs, inFlightRequests: new InFlightRequests(), cardHashes: createCardHashes() };
  http.decorateRequest('claim', undefined);
  http.decorateRequest('keyedBody', undefined);

  // A callback hook: most requests carry no key, and a promise would cost each an extra turn of the event loop.
  http.addHook('preHandler', (request, reply, done) => {
    const owner = keyOwnerOf(request);
    const key = owner && keyOf(request);
    if (!owner || key === undefined) return done();
    claimOrReplay(deps, request, reply, { owner, key }).then((isClaimed) => isClaimed && done(), done);
  });

  http.addHook('onSend', (request, reply, payload, done) => {
    if (!request.claim) return done(null, payload);
    // If the record cannot be saved, the error is still sent: `done(error)` would send the framework's own text.
    const onRecordFailure = (error: Error) => {
      if (reply.statusCode < 400) return done(error);
      deps.log.warn({ reason: error.message, requestId: request.id }, 'answer of an idempotency key not kept');
      done(null, payload);
    };
    finishClaim(deps, request, reply, payload).then(() => done(null, payload), onRecordFailure);
  });
}

/** Undefined where a key has no effect. */
function keyOwnerOf(request: FastifyRequest): KeyOwner | undefined {
  if (request.is404) return undefined;
  const { public: isPublic, audience, replayHours, isSecret } = endpointOf(request).config;
  const { method, caller, merchant, session } = request;
  if (replayHours === undefined) {
    // All visitors of a page would share the account's idempotency keys, and their requests are safe to repeat.
    const isOfAccount = method === 'POST' && !isPublic && audience === undefined && caller.visitor === undefined;
    return isOfAccount ? caller : undefined;
  }
  if (isSecret?.(request.body)) return undefined;
  if (merchant) return { accountId: `store ${merchant.storeId} ${merchant.accountId ?? ''}`, mode: merchant.mode };
  return session ? { accountId: `operator ${session.operatorId}`, mode: 'live' } : caller;
}

async function finishClaim({ db }: Deps, request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { claim } = request;
  if (!claim) return;
  request.claim = undefined;
  try {
    // A response with `Retry-After` is not an outcome: the client is to send the same request again.
    const isOutcome = reply.statusCode < 500 && !reply.hasHeader('retry-after') && !claim.isRefused;
    if (!isOutcome || typeof payload !== 'string') {
      await releaseClaim(db, claim);
      return;
    }
    const contentType = String(reply.getHeader('content-type') ?? 'application/json');
    const answer = { status: reply.statusCode, contentType, body: payload };
    if (await saveAnswer(db, claim, answer)) claim.inFlight.complete(answer);
  } finally {
    claim.inFlight.complete();
  }
}

/**
 * Stores the response of a request with a key in the transaction of its effect, so that a retry gets the response even
 * if the process died before sending it. Throws, which rolls the effect back, if another attempt has taken the claim
 * over.
 */
export async function keepAnswer<Answer>(tx: Sql, claim: FastifyRequest['claim'], answer: Answer): Promise<Answer> {
  if (!claim) return answer;
  const kept = { status: 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify(answer) };
  if (!(await saveAnswer(tx, claim, kept))) throw stillRunning();
  return answer;
}

/**
 * Whether an earlier attempt at the request may have been carried out: its process died before it kept the response.
 * Such a request finds its own effect, where another is refused because it is done.
 */
export const isRepeated = ({ claim }: { claim?: FastifyRequest['claim'] }): boolean => (claim?.attempt ?? 1) > 1;

/** The key of a request; a customer's is none of another customer's. */
function keyOf(request: FastifyRequest): string | undefined {
  const key = readIdempotencyKey(request);
  const { userId } = request.caller ?? {};
  return key === undefined || userId === undefined ? key : sha256(JSON.stringify([userId, key])).toString('base64url');
}

/** Drops a trailing slash, which does not distinguish requests. */
const withoutLastSlash = (url: string): string => url.replace(/^([^?]*)\/(?=\?|$)/, '$1');

/** The header's key; refuses an overlong one. */
export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined || header === '') return undefined;
  const key = Array.isArray(header) ? header.join(',') : header;
  if (key.length <= KEY_MAX_LENGTH) return key;
  throw invalidField('header', 'Idempotency-Key', `must be at most ${KEY_MAX_LENGTH} characters`);
}

/** Returns true if the request should run, and false once the recorded answer has been sent. */
async function claimOrReplay(
  deps: WaitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { owner, key }: Pick<Repeatable, 'owner' | 'key'>,
) {
  const ownerName = ownerOf(owner);
  const target = `${request.method} ${withoutLastSlash(request.url)}`;
  const digestUnder = (secret: string) => requestDigest(secret, { target, body: request.keyedBody ?? request.body });
  const { carriesCard = false, replayHours = REPLAY_HOURS } = endpointOf(request).config;
  const fingerprintUnder: FingerprintUnder = async (secret) =>
    carriesCard ? deps.cardHashes(ownerName, digestUnder(secret), key) : digestUnder(secret);
  const deadline = AbortSignal.timeout(MAX_FIRST_REQUEST_WAIT_MS);
  const id = `${ownerName} ${digestUnder(deps.secrets.current).toString('base64url')} ${key}`;
  const joined = await deps.inFlightRequests.join({ id, owner: ownerName, atMs: elapsedMsOf(deps.clock) }, deadline);
  if (typeof joined === 'string') throw stillRunning();
  if ('outcome' in joined) {
    replay(reply, joined.outcome);
    return false;
  }
  const { inFlight } = joined;
  try {
    const fingerprint = await inFlight.fingerprint(() => fingerprintUnder(deps.secrets.current));
    const repeatable = { owner, key, fingerprint, fingerprintUnder, replayHours };
    const claimed = await claimOrWait(deps, repeatable, deadline);
    if (typeof claimed === 'number') {
      request.claim = { owner, key, attempt: claimed, inFlight };
      return true;
    }
    inFlight.complete(claimed);
    replay(reply, claimed);
    return false;
  } catch (error) {
    inFlight.complete();
    throw error;
  }
}

/**
 * Returns the number of this request's attempt, or the outcome of the first request with the key. Waits for a request
 * that runs in another process; refuses with `idempotency_in_progress` at the deadline.
 */
async function claimOrWait(
  { db, clock, secrets }: Deps,
  { owner, key, fingerprint: current, fingerprintUnder, replayHours }: Repeatable,
  deadline: AbortSignal,
): Promise<number | RecordedAnswer | Refusal> {
  let fingerprint = current;
  for (let polls = 0; ; polls += 1) {
    const record = polls === 0 ? undefined : await findRecord(db, owner, key);
    const at = clock.now();
    if (!record || isFree(record, fingerprint, { at, replayHours })) {
      const attempt = await claimKey(db, { owner, key, fingerprint, at, replayHours });
      if (attempt !== undefined) return attempt;
    }
    const known = record ?? (await findRecord(db, owner, key));
    if (known && !known.fingerprint.equals(fingerprint)) {
      if (!(await isOfEarlier(known.fingerprint, secrets, fingerprintUnder))) return conflict();
      fingerprint = known.fingerprint;
    }
    const answer = known && outcomeOf(known);
    if (answer) return answer;
    await delay(POLL_MS[Math.min(polls, POLL_MS.length - 1)], undefined, { signal: deadline }).catch(() => {
      throw stillRunning();
    });
  }
}

/** Whether a record belongs to the same request under a previous secret. */
async function isOfEarlier(recorded: Buffer, { previous }: TokenSecrets, fingerprintUnder: FingerprintUnder) {
  for (const secret of previous) {
    if (recorded.equals(await fingerprintUnder(secret))) return true;
  }
  return false;
}

function replay(reply: FastifyReply, outcome: RecordedAnswer | Refusal): void {
  if (outcome instanceof Refusal) throw outcome;
  const { status, contentType, body } = outcome;
  reply.code(status).header('idempotent-replayed', 'true').type(contentType).send(body);
}

const conflict = () =>
  new Refusal('idempotency_conflict', 'This Idempotency-Key was already used with a different request.');

/** Returns the recorded answer; an error where it was cleared, undefined while the request runs. */
function outcomeOf(record: KeyRecord): RecordedAnswer | Refusal | undefined {
  const answer = recordedAnswerOf(record);
  if (!answer || record.body !== null) return answer;
  return new Refusal('answer_forgotten', 'The request was completed, but its response is no longer stored.');
}

function stillRunning(): Refusal {
  return new Refusal(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still in progress.',
    retryAfter(5),
  );
}

/** Hashes the digest of a body with card data, round-robin by account. Refuses with `rate_limited` if too many wait. */
export type CardHashes = (owner: string, digest: Buffer, salt: string) => Promise<Buffer>;

export function createCardHashes(hash: typeof hashSlowly = hashSlowly): CardHashes {
  const limiter = new ConcurrencyLimiter({ ...HASH_LIMITS, refusal: tooManyHashes });
  return (owner, digest, salt) => limiter.run(owner, () => hash(digest, salt));
}

function tooManyHashes(): Refusal {
  return new Refusal(
    'rate_limited',
    'Too many requests with a card and an Idempotency-Key are waiting. Try again later.',
    retryAfter(2),
  );
}
