import { AsyncLocalStorage } from 'node:async_hooks';
import { errorCode } from '../error-code.ts';
import { randomHex } from '../random-id.ts';
import { formatTraceparent, type TraceContext } from './trace-context.ts';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** Ids of accounts and orders, routes, statuses, kinds of work. Nothing of a person, no key, no text of a client. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type BegunSpan = { name: string; kind: SpanKind; attributes?: Attributes };

/** The moment that the times of a trace's spans in this process count from. */
type Anchor = { epochNs: bigint; atMs: number };

/** Gets each recorded span at its end. */
export type KeepSpan = (span: Span) => void;

/** A piece of work within a trace. Functions of this file alone change a span. */
export type Span = {
  readonly context: TraceContext;
  readonly parentSpanId: string | undefined;
  readonly kind: SpanKind;
  readonly anchor: Anchor;
  /** Milliseconds since the anchor. */
  readonly startMs: number;
  readonly keep: KeepSpan;
  name: string;
  attributes: Attributes;
  /** Undefined while the work goes on. */
  endMs: number | undefined;
  /** The kind of the failure; undefined for work that did not fail. */
  failure: string | undefined;
};

/** The span of the present work. Until a first span runs, a look costs nanoseconds. */
const spans = new AsyncLocalStorage<Span>();

/** The open span that the present work belongs to. Work that a request left behind belongs to no span. */
export function spanNow(): Span | undefined {
  const span = spans.getStore();
  return span === undefined || span.endMs !== undefined ? undefined : span;
}

/** The name of the present work for work that follows later, in this process or in another one; undefined without a trace. */
export function traceparentNow(): string | undefined {
  const span = spanNow();
  return span && formatTraceparent(span.context);
}

export function runInSpan<Result>(span: Span, task: () => Result): Result {
  return spans.run(span, task);
}

export const newTraceId = (): string => randomHex(16);
const newSpanId = (): string => randomHex(8);

/** The first span of a trace in this process; `parentSpanId` is a span of another piece of work. */
export function beginTrace(
  begun: BegunSpan & Pick<TraceContext, 'traceId' | 'isSampled'> & { parentSpanId: string | undefined },
  { epochNs, keep }: { epochNs: bigint; keep: KeepSpan },
): Span {
  const { traceId, isSampled, parentSpanId } = begun;
  return newSpan(begun, {
    ...{ parentSpanId, keep, startMs: 0 },
    context: { traceId, spanId: newSpanId(), isSampled },
    anchor: { epochNs, atMs: performance.now() },
  });
}

function beginChild({ context, anchor, keep }: Span, begun: BegunSpan): Span {
  return newSpan(begun, {
    ...{ anchor, keep, parentSpanId: context.spanId },
    context: { ...context, spanId: newSpanId() },
    startMs: performance.now() - anchor.atMs,
  });
}

function newSpan(
  { name, kind, attributes = {} }: BegunSpan,
  rest: Pick<Span, 'context' | 'parentSpanId' | 'anchor' | 'startMs' | 'keep'>,
): Span {
  return { ...rest, name, kind, attributes, endMs: undefined, failure: undefined };
}

export function describeSpan(span: Span, attributes: Attributes): void {
  span.attributes = { ...span.attributes, ...attributes };
}

/** The same for the span of the present work, where there is one. */
export function describeSpanNow(attributes: Attributes): void {
  const span = spanNow();
  if (span) describeSpan(span, attributes);
}

/** Marks work as failed that itself goes on and ends well: an attempt whose failure is recorded. */
export function failSpanNow(failure: string): void {
  const span = spanNow();
  if (span) span.failure = wordOf(failure);
}

/** Ends the span once; a later end changes nothing. */
export function endSpan(span: Span, failure?: string): void {
  if (span.endMs !== undefined) return;
  span.endMs = performance.now() - span.anchor.atMs;
  span.failure = failure ?? span.failure;
  if (span.context.isSampled) span.keep(span);
}

/** Runs the task within the span, which ends with the task. */
export async function runToEnd<Result>(span: Span, task: () => Result | Promise<Result>): Promise<Result> {
  try {
    const result = await spans.run(span, task);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, failureOf(error));
    throw error;
  }
}

/**
 * Runs the task in a span below the span of the present work. Where there is no such span, or its trace is not recorded,
 * the task alone runs. A task that answers at once has no span.
 */
export function inSpan<Result>(begun: BegunSpan, task: () => Result): Result {
  const parent = spanNow();
  if (!parent?.context.isSampled) return task();
  const span = beginChild(parent, begun);
  const result = spans.run(span, task);
  return result instanceof Promise ? (runToEnd(span, () => result) as Result) : result;
}

const WORD = /^[\w.-]{1,64}$/;

/** The kind of an error as a word: its code, or else its name. A message may repeat a request, and is left out. */
export function failureOf(error: unknown): string {
  return wordOf(errorCode(error) ?? (error instanceof Error ? error.name : ''));
}

const wordOf = (text: string): string => (WORD.test(text) ? text : 'error');
