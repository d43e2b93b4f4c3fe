import type { Problem, ProblemCode } from './api-types.ts';
import { PROBLEM_CODES } from './api-types.ts';
import type { DoorstepError } from './errors.ts';
import { retryAfterMs } from './retry-delay.ts';

type Refusal = Pick<DoorstepError, 'status' | 'code' | 'detail' | 'requestId' | 'problem' | 'retryAfterMs'>;
export type Answered = { answer: unknown } | { refusal: Refusal };

/**
 * The answer of a response, or its refusal. An answer that is no JSON and has the status 200 is its bytes, but for HTML:
 * no operation answers a page, so a page comes from a proxy.
 */
export async function readAnswer(response: Response, nowMs: number): Promise<Answered> {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isJson = type === 'application/json' || type === 'application/problem+json';
  if (response.ok && !isJson && type !== 'text/html') {
    return { answer: new Uint8Array(await response.arrayBuffer()) };
  }
  const read = isJson ? parsed(await response.text()) : undefined;
  if (response.ok && read !== undefined) return { answer: read };
  return { refusal: refusalOf(response, isProblem(read) ? read : {}, nowMs) };
}

function refusalOf(response: Response, problem: Partial<Problem>, nowMs: number): Refusal {
  return {
    status: response.status,
    code: isKnown(problem.code) ? problem.code : 'unknown_problem',
    detail: problem.detail ?? 'The answer is none of the service.',
    requestId: response.headers.get('x-request-id') ?? problem.request_id,
    problem,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), nowMs),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Partial<Problem> {
  return typeof value === 'object' && value !== null && 'code' in value;
}

function isKnown(code: string | undefined): code is ProblemCode {
  return (PROBLEM_CODES as readonly (string | undefined)[]).includes(code);
}
