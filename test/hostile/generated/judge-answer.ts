import assert from 'node:assert/strict';
import { type ApiDocument, assertDescribed, assertRefusedAnywhere, operationNameOf } from '../../api-document.ts';
import type { Reply } from '../../harness.ts';
import { assertProblem } from '../assert-refused.ts';
import type { HostileRequest } from './resolve-plan.ts';

export type HostileAnswer = Pick<Reply, 'status' | 'headers' | 'body' | 'text'>;
/** Sends a request; resolves to a description of the fault, if any. */
export type Send = (request: HostileRequest) => Promise<{ answer: HostileAnswer } | { fault: string }>;

/** A 5xx, or a refusal that is not a problem document of the table; undefined otherwise. */
export function faultOfAnswer(request: HostileRequest, answer: HostileAnswer): string | undefined {
  if (answer.status >= 500) return `answered with ${answer.status}: ${answer.text.slice(0, 300)}`;
  const isProblem = String(answer.headers['content-type']).startsWith('application/problem+json');
  if (!isProblem || request.method === 'HEAD' || answer.headers['content-encoding']) return undefined;
  return messageOf(() => assertProblem(withFirstRequestId(answer), request.operation));
}

/** A replayed refusal keeps the request id of the first response, which its own header does not have. */
function withFirstRequestId(answer: HostileAnswer): HostileAnswer {
  if (answer.headers['idempotent-replayed'] === undefined) return answer;
  const { request_id: first } = JSON.parse(answer.text) as { request_id: string };
  assert.match(first, /^req_[\w-]+$/);
  return { ...answer, headers: { ...answer.headers, 'x-request-id': first } };
}

/** Deviations from the OpenAPI document. The harness checks in-process answers the same way. */
export function faultOfDescription(
  document: ApiDocument,
  request: HostileRequest,
  answer: HostileAnswer,
): string | undefined {
  const { method, url } = request;
  // Streams have no HEAD: their path refuses it like any unsupported method.
  const name = method === 'HEAD' && answer.status === 405 ? undefined : operationNameOf(document, request, answer);
  return messageOf(() => {
    if (name === undefined) assertRefusedAnywhere(document, `${method} ${url}`, answer);
    else assertDescribed(document, name, answer);
  });
}

function messageOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
