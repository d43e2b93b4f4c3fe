import { INTERNAL_ERROR, type Refusal, type RefusalCode } from './refusal.ts';

/** RFC 9457 problem details, with `code` for programs and `error` for clients that read only that. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  error: string;
  request_id: string;
  errors?: readonly unknown[];
};

export function problemOf(refusal: Refusal, status: number, requestId: string): Problem {
  const { errors, members } = refusal.extras;
  return { ...problem(refusal.code, status, refusal.message, requestId), ...(errors ? { errors } : {}), ...members };
}

/** Returns the problem document of an internal error, without details. */
export function internalProblem(requestId: string): Problem {
  return problem(
    'internal_error',
    INTERNAL_ERROR.status,
    'Something went wrong on our side. The request ID helps us find it.',
    requestId,
  );
}

function problem(code: RefusalCode | 'internal_error', status: number, detail: string, requestId: string): Problem {
  return {
    type: `urn:doorstep:error:${code}`,
    title: titleOf(code),
    status,
    detail,
    code,
    error: detail,
    request_id: requestId,
  };
}

const ABBREVIATIONS: ReadonlySet<string> = new Set(['api', 'id', 'sms', 'url']);

function titleOf(code: string): string {
  const words = code.split('_').map((word) => (ABBREVIATIONS.has(word) ? word.toUpperCase() : word));
  return words.join(' ').replace(/^./, (letter) => letter.toUpperCase());
}
