import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ApiDocument } from '../api-document.ts';
import type { Arms } from '../hostile/generated/given-attack.ts';
import { faultOfAnswer, type Send } from '../hostile/generated/judge-answer.ts';
import { faultsOfFraming } from '../hostile/generated/raw-framing.ts';
import type { RequestPlan } from '../hostile/generated/request-plans.ts';
import type { HostileRequest } from '../hostile/generated/resolve-plan.ts';
import {
  arbitraryRequests,
  describeFaults,
  emptyTally,
  samplePlans,
  sendPlans,
} from '../hostile/generated/run-attack.ts';
import { sendOverHttp } from '../hostile/generated/send-over-http.ts';
import { textOfRequest } from '../hostile/generated/shrink-request.ts';
import { openRunDatabase } from '../run-database.ts';

const REQUESTS = 200_000;
const ROUND = 2000;
const AT_ONCE = 16;
/** Malformed requests per round: wrong length, end or version. */
const FRAMINGS = 40;
const MAX_ANSWER_MS = 1000;
/** Maximum attempts of a slow request, repeated alone, because the machine may have paused. */
const SLOW_TRIES = 3;

type Ready = { url: string; arms: Arms; document: ApiDocument };
type Slow = { request: HostileRequest; ms: number };

/**
 * Sends generated requests over HTTP to a service in a child process. Asserts no fault, answers within a second that
 * match the description, then money, isolation of another account, and the log. Throws at the first faulty round.
 */
export async function soakHostile({ seed = randomInt(2 ** 31 - 1), requests = REQUESTS } = {}): Promise<void> {
  await using database = await openRunDatabase();
  const env = { ...process.env, DATABASE_URL: database.connectionString };
  const child = fork(join(import.meta.dirname, 'hostile-child.ts'), { env });
  try {
    const [ready] = (await once(child, 'message')) as [Ready];
    await attack(child, ready, seed, requests);
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

async function attack(child: ChildProcess, { url, arms, document }: Ready, seed: number, requests: number) {
  const tally = emptyTally();
  const times: number[] = [];
  const slow: Slow[] = [];
  const bare = sendOverHttp(url, document);
  const send = timed(bare, times, slow);
  const plans = arbitraryRequests(document, () => true);
  process.stdout.write(`HOSTILE_SEED=${seed}\n`);
  for (let round = 0; tally.sent < requests; round += 1) {
    const made: RequestPlan[] = samplePlans(plans, seed + round, Math.min(ROUND, requests - tally.sent));
    await sendPlans(made, { arms, send, atOnce: AT_ONCE, tally });
    const framed = await faultsOfFraming(Number(new URL(url).port), made.slice(0, FRAMINGS), arms, AT_ONCE);
    const faults = [
      ...(await describeFaults(tally, bare)),
      ...framed.faults,
      ...(await slowAgain(slow.splice(0), bare)),
    ];
    assert.deepEqual(faults, [], `HOSTILE_SEED=${seed}, round ${round}`);
    await ask(child, 'settle');
    process.stdout.write(
      `${tally.sent} requests, p99 ${percentile(times, 0.99)} ms, slowest ${percentile(times, 1)} ms\n`,
    );
  }
  const orders = await ask(child, 'finish');
  const statuses = JSON.stringify(Object.fromEntries([...tally.statuses].sort()));
  process.stdout.write(`${orders} orders with money reconcile; answers by status: ${statuses}\n`);
}

function timed(send: Send, times: number[], slow: Slow[]): Send {
  return async (request) => {
    const startMs = performance.now();
    const given = await send(request);
    const ms = performance.now() - startMs;
    times.push(ms);
    if (ms > MAX_ANSWER_MS) slow.push({ request, ms });
    return given;
  };
}

/** Requests that were slow, and are slow each time when repeated alone. */
async function slowAgain(slow: readonly Slow[], send: Send): Promise<string[]> {
  const faults: string[] = [];
  for (const { request, ms } of slow) {
    let fastestMs = ms;
    for (let nth = 0; nth < SLOW_TRIES && fastestMs > MAX_ANSWER_MS; nth += 1) {
      const startMs = performance.now();
      const given = await send(request);
      const fault = 'fault' in given ? given.fault : faultOfAnswer(request, given.answer);
      if (fault !== undefined) faults.push(fault);
      fastestMs = Math.min(fastestMs, performance.now() - startMs);
    }
    if (fastestMs > MAX_ANSWER_MS) faults.push(`answered after ${Math.round(fastestMs)} ms\n${textOfRequest(request)}`);
  }
  return faults;
}

async function ask(child: ChildProcess, question: string): Promise<unknown> {
  child.send(question);
  const [{ result, fault }] = (await once(child, 'message')) as [{ result?: unknown; fault?: string }];
  assert.equal(fault, undefined);
  return result;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

if (import.meta.main) {
  const { HOSTILE_SEED, HOSTILE_REQUESTS } = process.env;
  await soakHostile({
    ...(HOSTILE_SEED && { seed: Number(HOSTILE_SEED) }),
    ...(HOSTILE_REQUESTS && { requests: Number(HOSTILE_REQUESTS) }),
  });
}
