import { traceparentNow } from '../lib/tracing.ts';

/** A job's payload with the trace that the job follows from; without a trace the payload alone. */
export function writeTrace(payload: object, traceparent: string | null = traceparentNow() ?? null): object {
  return traceparent === null ? payload : { ...payload, traceparent };
}

/** What `writeTrace` wrote, on this node or on another one. */
export function readTrace(data: object): { payload: object; traceparent: unknown } {
  const { traceparent, ...payload } = data as { traceparent?: unknown };
  return { payload, traceparent };
}
