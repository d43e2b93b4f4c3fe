import { AsyncLocalStorage } from 'node:async_hooks';
import { errorCode } from './error-code.ts';

/*
 * Traces, as the service words them. The spans are those of OpenTelemetry's SDK (adapters/opentelemetry.ts), which
 * is loaded only where a collector is set: without one there is no tracer, no hook and no wrapper.
 */

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** Ids of accounts and orders, routes, statuses, kinds of work. Nothing of a person, no key, no text of a client. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type BegunSpan = { name: string; kind: SpanKind; attributes?: Attributes };

/** Begins the traces of a process; the process has no tracer where OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
export type Tracer = {
  /** Begins work that no open span of this process is above: `traceparent` names another piece of work, any other text none. */
  begin(begun: BegunSpan & { traceparent?: unknown }): Span;
  /** Sends the spans that wait. Never rejects. */
  flush(): Promise<void>;
};

/** A piece of work within a trace. */
export type Span = {
  /** Its name for other work, in the form of W3C Trace Context. */
  readonly traceparent: string;
  readonly isSampled: boolean;
  readonly isEnded: boolean;
  beginChild(begun: BegunSpan): Span;
  describe(attributes: Attributes): void;
  /** Marks the work as failed, by the kind of its failure. */
  fail(failure: string): void;
  /** Ends the span once; a later end changes nothing. */
  end(): void;
};

/** The span of the present work. Until a first span runs, a look costs nanoseconds. */
const spans = new AsyncLocalStorage<Span>();

/** The open span that the present work belongs to. Work that a request left behind belongs to no span. */
function spanNow(): Span | undefined {
  const span = spans.getStore();
  return span?.isEnded ? undefined : span;
}

/** The name of the present work for work that follows later, in this process or in another one; undefined without a trace. */
export function traceparentNow(): string | undefined {
  return spanNow()?.traceparent;
}

/** Describes the span of the present work, where there is one. */
export function describeSpanNow(attributes: Attributes): void {
  spanNow()?.describe(attributes);
}

/** Marks work as failed that itself goes on and ends well: an attempt whose failure is recorded. */
export function failSpanNow(failure: string): void {
  spanNow()?.fail(spanWord(failure));
}

export function runInSpan<Result>(span: Span, task: () => Result): Result {
  return spans.run(span, task);
}

/** Runs a piece of background work in a span of its own; without a tracer the work alone. */
export function traceWork<Result>(
  tracer: Tracer | undefined,
  begun: BegunSpan & { traceparent?: unknown },
  task: () => Promise<Result>,
): Promise<Result> {
  if (!tracer) return task();
  const span = tracer.begin(begun);
  return runToEnd(span, () => spans.run(span, task));
}

/**
 * Runs the task in a span below the span of the present work. Where there is no such span, or its trace is not recorded,
 * the task alone runs. A task that answers at once has no span.
 */
export function inSpan<Result>(begun: BegunSpan, task: () => Result): Result {
  const parent = spanNow();
  if (!parent?.isSampled) return task();
  const span = parent.beginChild(begun);
  const result = spans.run(span, task);
  return result instanceof Promise ? (runToEnd(span, () => result) as Result) : result;
}

/** The span ends with the task. */
async function runToEnd<Result>(span: Span, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    // A message may repeat a request, and is left out.
    span.fail(spanWord(errorCode(error) ?? (error instanceof Error ? error.name : '')));
    throw error;
  } finally {
    span.end();
  }
}

const WORD = /^[\w.-]{1,64}$/;
const spanWord = (text: string): string => (WORD.test(text) ? text : 'error');
