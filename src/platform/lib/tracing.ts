import { AsyncLocalStorage } from 'node:async_hooks';
import { errorCode } from './error-code.ts';

/*
 * Tracing in the service's own terms. Spans are OpenTelemetry's (adapters/opentelemetry.ts), loaded only if a collector
 * is
 * set: otherwise there is no tracer, hook or wrapper.
 */

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** Ids of accounts and orders, routes, statuses, kinds of work. No personal data, no key, no client text. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type BegunSpan = { name: string; kind: SpanKind; attributes?: Attributes };

/** Starts a process's traces; absent without OTEL_EXPORTER_OTLP_ENDPOINT. */
export type Tracer = {
  /** Begins work without a parent span here: `traceparent` names its parent; any other text means none. */
  begin(begun: BegunSpan & { traceparent?: unknown }): Span;
  /** Sends waiting spans. Never rejects. */
  flush(): Promise<void>;
};

/** A piece of work within a trace. */
export type Span = {
  /** Its W3C Trace Context, for other work. */
  readonly traceparent: string;
  readonly isSampled: boolean;
  readonly isEnded: boolean;
  beginChild(begun: BegunSpan): Span;
  describe(attributes: Attributes): void;
  /** Marks the work as failed, with the kind of failure. */
  fail(failure: string): void;
  /** Ends the span; later calls do nothing. */
  end(): void;
};

/** The current span. Before any span runs, reading it costs nanoseconds. */
const spans = new AsyncLocalStorage<Span>();

/** The open span of the current work. Work left behind by a request has none. */
function activeSpan(): Span | undefined {
  const span = spans.getStore();
  return span?.isEnded ? undefined : span;
}

/** The `traceparent` of the current work for work that follows later, in any process; undefined without a trace. */
export function activeTraceparent(): string | undefined {
  return activeSpan()?.traceparent;
}

/** Adds attributes to the current span, if any. */
export function setActiveSpanAttributes(attributes: Attributes): void {
  activeSpan()?.describe(attributes);
}

/** Marks the active span as failed although its work ends normally, such as a failed attempt that is recorded. */
export function failActiveSpan(failure: string): void {
  activeSpan()?.fail(spanWord(failure));
}

export function runInSpan<Result>(span: Span, task: () => Result): Result {
  return spans.run(span, task);
}

/** Runs background work in its own span; without a tracer, just runs it. */
export function traceWork<Result>(
  tracer: Tracer | undefined,
  begun: BegunSpan & { traceparent?: unknown },
  task: () => Promise<Result>,
): Promise<Result> {
  if (!tracer) return task();
  const span = tracer.begin(begun);
  return runToEnd(span, () => spans.run(span, task));
}

/** Runs the task in a child span of the current one, if that exists and is recorded. A synchronous task has no span. */
export function inSpan<Result>(begun: BegunSpan, task: () => Result): Result {
  const parent = activeSpan();
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
    // A message may repeat a request, so it is left out.
    span.fail(spanWord(errorCode(error) ?? (error instanceof Error ? error.name : '')));
    throw error;
  } finally {
    span.end();
  }
}

const WORD = /^[\w.-]{1,64}$/;
const spanWord = (text: string): string => (WORD.test(text) ? text : 'error');
