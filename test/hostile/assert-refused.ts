import assert from 'node:assert/strict';
import { REFUSALS } from '../../src/app/wiring/refusals.ts';
import type { RefusalRecord } from '../../src/platform/http/refusal.ts';

/** The parts of a response, over any transport, that decide whether a refusal is well formed. */
export type AnyAnswer = { status: number; headers: Record<string, unknown>; text: string };

const PLACES = ['query', 'body', 'header', 'path'];

/**
 * Checks a refusal against docs/errors.md#refusal-codes: problem details, a code that fits the status, the sentence
 * twice, the header's request id, located faults.
 */
export function assertProblem(answer: AnyAnswer, what: string): Record<string, unknown> {
  const said = `${what}: ${answer.status} ${answer.text.slice(0, 400)}`;
  assert.ok(answer.status >= 400 && answer.status < 500, said);
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/, said);
  const problem = JSON.parse(answer.text) as Record<string, unknown>;
  const refusals: Readonly<Record<string, RefusalRecord>> = REFUSALS;
  assert.equal(refusals[String(problem.code)]?.status, answer.status, said);
  assert.equal(problem.status, answer.status, said);
  for (const member of ['type', 'title', 'detail']) assert.ok(isSentence(problem[member]), `${member} of ${said}`);
  assert.equal(problem.error, problem.detail, said);
  assert.ok(isSentence(problem.request_id), said);
  assert.equal(problem.request_id, answer.headers['x-request-id'], said);
  for (const fault of (problem.errors ?? []) as Record<string, unknown>[]) {
    assert.ok(PLACES.includes(String(fault.in)) && isSentence(fault.name) && isSentence(fault.message), said);
  }
  if (problem.code === 'invalid_request' && problem.errors !== undefined)
    assert.ok((problem.errors as unknown[]).length > 0, said);
  return problem;
}

/**
 * Asserts that a response is a success or a proper refusal, never a fault of the service. Returns whether it succeeded.
 */
export function assertAnswered(answer: AnyAnswer, what: string): boolean {
  if (answer.status >= 200 && answer.status < 300) {
    assert.ok(answer.headers['x-request-id'], what);
    return true;
  }
  assertProblem(answer, what);
  return false;
}

const isSentence = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length < 20_000 && value.isWellFormed();
