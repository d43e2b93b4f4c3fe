import fc from 'fast-check';
import type { ApiDocument } from '../../api-document.ts';
import { isRefusedForNow } from '../../come-again.ts';
import type { Arms } from './given-attack.ts';
import { goodPartsOf } from './good-parts.ts';
import { faultOfAnswer, type Send } from './judge-answer.ts';
import { type PlannedOperation, plannedOperations, plansOf, type RequestPlan } from './request-plans.ts';
import { type HostileRequest, learnIds, resolvePlan } from './resolve-plan.ts';
import { shrinkRequest, textOfRequest } from './shrink-request.ts';

export type Fault = { request: HostileRequest; fault: string };
export type Tally = {
  sent: number;
  statuses: Map<number, number>;
  /** Successful requests by operation. */
  done: Map<string, number>;
  faults: Fault[];
};

/** Favors operations that move orders and money over pages. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'POST /order/order/v2': 60,
  'POST /sandbox/orders/{order_id}/advance': 120,
  'POST /order/refund': 180,
  'POST /order/tip': 25,
  'POST /payment/create': 20,
  'POST /order/finalize': 15,
  'POST /store/orders/{order_id}/confirm': 20,
  'POST /order/cancel': 20,
  'POST /store/orders/{order_id}/items/{index}': 12,
  // Rare, because orders that operators move are past what their account may do.
  'POST /operator/orders/{order_id}/advance': 1,
  // Rare, because stores that are closed or sold out most of the time take no orders.
  'POST /operator/stores/{store_id}/products': 1,
  'POST /store/pause': 1,
  'PUT /store/hours': 1,
  'POST /operator/stores/{store_id}/switches': 1,
  'POST /operator/stores/{store_id}/delist': 1,
  'GET /reference': 1,
  'GET /docs/search/words.json': 1,
  'GET /openapi.json': 1,
  'GET /metrics': 1,
};
const WEIGHT = 4;
/** Maximum faults before a run stops, so that one fault in every response isn't reported thousands of times. */
const MAX_FAULTS = 40;

/** Requests of all operations in rotation. Streams are separate, because their answers never end. */
export function arbitraryRequests(
  document: ApiDocument,
  isWanted: (operation: PlannedOperation) => boolean,
): fc.Arbitrary<RequestPlan> {
  // By name, so that a seed draws the same requests in whatever order routes are registered.
  const wanted = plannedOperations(document)
    .filter(isWanted)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return fc.oneof(
    ...wanted.map((operation) => ({
      weight: WEIGHTS[operation.name] ?? WEIGHT,
      arbitrary: plansOf(operation, goodPartsOf(operation)),
    })),
  );
}

export function samplePlans(plans: fc.Arbitrary<RequestPlan>, seed: number, count: number): RequestPlan[] {
  return fc.sample(plans, { seed, numRuns: count });
}

export function emptyTally(): Tally {
  return { sent: 0, statuses: new Map(), done: new Map(), faults: [] };
}

/** Sends requests, `atOnce` concurrently, and records the outcomes. */
export async function sendPlans(
  plans: readonly RequestPlan[],
  { arms, send, atOnce, tally }: { arms: Arms; send: Send; atOnce: number; tally: Tally },
): Promise<void> {
  const queue = plans.values();
  const work = async () => {
    for (const plan of queue) {
      if (tally.faults.length >= MAX_FAULTS) return;
      const request = resolvePlan(plan, arms);
      const fault = await sendOne(request, { arms, send, tally });
      if (fault !== undefined) tally.faults.push({ request, fault });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function sendOne(
  request: HostileRequest,
  { arms, send, tally }: { arms: Arms; send: Send; tally: Tally },
): Promise<string | undefined> {
  const first = await send(request);
  const given = 'answer' in first && isRefusedForNow(first.answer) ? await send(request) : first;
  tally.sent += 1;
  if ('fault' in given) return given.fault;
  const { status, text } = given.answer;
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  if (status < 400) tally.done.set(request.operation, (tally.done.get(request.operation) ?? 0) + 1);
  learnIds(arms, request, status, text);
  return faultOfAnswer(request, given.answer);
}

/** One line per kind of fault, each with the smallest request that reproduces it. */
export async function describeFaults({ faults }: Tally, send: Send): Promise<string[]> {
  const kinds = new Map(faults.map((fault) => [`${fault.request.operation} ${fault.fault.slice(0, 60)}`, fault]));
  const judge = async (request: HostileRequest) => {
    const given = await send(request);
    return 'fault' in given ? given.fault : faultOfAnswer(request, given.answer);
  };
  const described: string[] = [];
  for (const { request, fault } of kinds.values()) {
    const { smallest, isRepeated } = await shrinkRequest(request, judge);
    const said = isRepeated ? '' : '\n(sent again alone, the request had no fault)';
    described.push(`${fault.slice(0, 1500)}${said}\n${textOfRequest(smallest)}`);
  }
  return described;
}
