import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { invalidRequest } from '../http/request-schema.ts';
import type { Clock } from '../lib/clock.ts';
import type { TokenSecrets } from '../lib/tokens.ts';
import { claimKey, findRecord, releaseClaim, saveAnswer } from './idempotency.db.ts';
import { fingerprintOf, KEY_MAX_LENGTH, WAIT_MS } from './idempotency.ts';

const POLL_MS = 40;

declare module 'fastify' {
  interface FastifyRequest {
    /** The claim of this request's `Idempotency-Key`, when it carries one. */
    claim: { key: string; attempt: number } | undefined;
  }
}

type Needs = { db: Db; clock: Clock; log: Logger; secrets: TokenSecrets };

/**
 * Runs a POST with an `Idempotency-Key` once, and answers a repetition with the first answer
 * (docs/behaviour.md#idempotency-keys). Only an endpoint with a caller has a record to keep: the header changes nothing
 * about 404, 405 and public endpoints.
 */
export function honourIdempotencyKeys(http: Http, deps: Needs): void {
  http.decorateRequest('claim', undefined);

  // The hook takes a callback: most requests carry no key, and a promise would cost them a turn of the event loop.
  http.addHook('preHandler', (request, reply, done) => {
    const key = takesKey(request) ? readKey(request) : undefined;
    if (key === undefined) return done();
    claimOrReplay(deps, request, reply, key).then((isClaimed) => isClaimed && done(), done);
  });

  http.addHook('onSend', (request, reply, payload, done) => {
    if (!request.claim) return done(null, payload);
    finishClaim(deps, request, reply, payload).then(() => done(null, payload), done);
  });
}

function takesKey({ method, is404, routeOptions }: FastifyRequest): boolean {
  const { public: isPublic, audience } = routeOptions.config;
  return method === 'POST' && !is404 && !isPublic && audience === undefined;
}

async function finishClaim({ db }: Needs, request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { claim, caller } = request;
  if (!claim) return;
  request.claim = undefined;
  // An answer with `Retry-After` asks for the same request again: the request has no outcome yet.
  const isOutcome = reply.statusCode < 500 && !reply.hasHeader('retry-after');
  if (!isOutcome || typeof payload !== 'string') {
    await releaseClaim(db, caller, claim.key, claim.attempt);
    return;
  }
  const contentType = String(reply.getHeader('content-type') ?? 'application/json');
  await saveAnswer(db, caller, claim.key, claim.attempt, { status: reply.statusCode, contentType, body: payload });
}

function readKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined || header === '') return undefined;
  const key = Array.isArray(header) ? header.join(',') : header;
  if (key.length <= KEY_MAX_LENGTH) return key;
  const message = `must be at most ${KEY_MAX_LENGTH} characters`;
  throw invalidRequest([{ in: 'header', name: 'Idempotency-Key', message }]);
}

/** True when the request is to run; false when the recorded answer has been sent. */
async function claimOrReplay(deps: Needs, request: FastifyRequest, reply: FastifyReply, key: string): Promise<boolean> {
  const fingerprintUnder = (secret: string) =>
    fingerprintOf(secret, {
      target: `POST ${request.url}`,
      body: request.body,
      carriesCard: request.routeOptions.config.carriesCard === true,
      key,
    });
  let fingerprint = await fingerprintUnder(deps.secrets.current);
  const deadlineMs = performance.now() + WAIT_MS;
  for (;;) {
    const attempt = await claimKey(deps.db, { caller: request.caller, key, fingerprint, at: deps.clock.now() });
    if (attempt !== undefined) {
      request.claim = { key, attempt };
      return true;
    }
    const record = await findRecord(deps.db, request.caller, key);
    if (record && !record.fingerprint.equals(fingerprint)) {
      fingerprint = await matchEarlier(record.fingerprint, deps.secrets, fingerprintUnder);
    }
    if (record?.state === 'done') {
      reply
        .code(record.status ?? 200)
        .header('idempotent-replayed', 'true')
        .type(record.contentType ?? 'application/json')
        .send(record.body ?? '');
      return false;
    }
    if (performance.now() >= deadlineMs) throw stillRunning();
    await delay(POLL_MS);
  }
}

/** The fingerprint of a record that was written under a predecessor of the secret; refuses where none of them gives it. */
async function matchEarlier(
  recorded: Buffer,
  { previous }: TokenSecrets,
  fingerprintUnder: (secret: string) => Promise<Buffer>,
): Promise<Buffer> {
  for (const secret of previous) {
    if (recorded.equals(await fingerprintUnder(secret))) return recorded;
  }
  throw new Refusal('idempotency_conflict', 'This Idempotency-Key was used with another request.');
}

function stillRunning(): Refusal {
  return new Refusal('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    headers: { 'retry-after': '5' },
  });
}
