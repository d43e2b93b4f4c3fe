import { AsyncLocalStorage } from 'node:async_hooks';
import { errorCode } from 'doorstep/files';

/*
 * Tracing in the service's own terms. A plug-in's tracer makes the spans (plugins/opentelemetry), loaded only if it
 * has its settings. Otherwise there is no tracer, hook or wrapper.
 */

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/**
 * Span attributes: ids of accounts and orders, routes, statuses, kinds of work. No personal data, keys or client text.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type BegunSpan = { name: string; kind: SpanKind; attributes?: Attributes };

/** Traces of a process; absent without a plug-in's tracer. */
export type Tracer = {
  /** Begins a root span, or the child of a valid `traceparent`; any other text is ignored. */
  begin(begun: BegunSpan & { traceparent?: unknown }): Span;
  /** Sends waiting spans. Never rejects. */
  flush(): Promise<void>;
};

export type Span = {
  /** W3C Trace Context, to continue the trace elsewhere. */
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

/** The current span. Without tracing, reading it costs nanoseconds. */
const spans = new AsyncLocalStorage<Span>();

/** Returns the open span of the current work; undefined once it has ended. */
function activeSpan(): Span | undefined {
  const span = spans.getStore();
  return span?.isEnded ? undefined : span;
}

/** Returns the current work's `traceparent`, for work that follows later in any process; undefined without a trace. */
export const activeTraceparent = (): string | undefined => activeSpan()?.traceparent;

/** Adds attributes to the current span, if any. */
export function setActiveSpanAttributes(attributes: Attributes): void {
  activeSpan()?.describe(attributes);
}

/** Marks the active span as failed although its work ends normally, such as a recorded failed attempt. */
export function failActiveSpan(failure: string): void {
  activeSpan()?.fail(spanWord(failure));
}

export const runInSpan = <Result>(span: Span, task: () => Result): Result => spans.run(span, task);

/** Runs background work in its own span, if there is a tracer. */
export function traceWork<Result>(
  tracer: Tracer | undefined,
  begun: BegunSpan & { traceparent?: unknown },
  task: () => Promise<Result>,
): Promise<Result> {
  if (!tracer) return task();
  const span = tracer.begin(begun);
  return runToEnd(span, () => spans.run(span, task));
}

/** Runs the task in a child of the current span, if there is a recorded one. A synchronous task gets no span. */
export function inSpan<Result>(begun: BegunSpan, task: () => Result): Result {
  const parent = activeSpan();
  if (!parent?.isSampled) return task();
  const span = parent.beginChild(begun);
  const result = spans.run(span, task);
  return result instanceof Promise ? (runToEnd(span, () => result) as Result) : result;
}

async function runToEnd<Result>(span: Span, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    // Only the error's code or name: its message may repeat a request.
    span.fail(spanWord(errorCode(error) ?? (error instanceof Error ? error.name : '')));
    throw error;
  } finally {
    span.end();
  }
}

const WORD = /^[\w.-]{1,64}$/;
const spanWord = (text: string): string => (WORD.test(text) ? text : 'error');
