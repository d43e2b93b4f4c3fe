import type { Clock } from '../clock.ts';
import type { Sampler } from './sampler.ts';
import { type BegunSpan, beginTrace, type KeepSpan, newTraceId, runToEnd, type Span } from './span.ts';
import type { TraceContext } from './trace-context.ts';

/** Begins the traces of a process; the process has no tracer where OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
export type Tracer = {
  /** Begins work that no open span of this process is above: `parent` is another piece of work, or there is none. */
  begin(begun: BegunSpan & { parent?: TraceContext | undefined }): Span;
  /** Sends the spans that wait. Never rejects. */
  flush(): Promise<void>;
};

/** What takes the ended spans. */
export type SpanSink = { add: KeepSpan; flush(): Promise<void> };

export function createTracer({ clock, sampler, sink }: { clock: Clock; sampler: Sampler; sink: SpanSink }): Tracer {
  const keep = sink.add;
  return {
    begin({ parent, ...begun }) {
      const traceId = parent?.traceId ?? newTraceId();
      const isSampled = sampler(traceId, parent?.isSampled);
      const started = { ...begun, traceId, isSampled, parentSpanId: parent?.spanId };
      return beginTrace(started, { epochNs: clock.now().epochNanoseconds, keep });
    },
    flush: () => sink.flush(),
  };
}

/** Runs a piece of background work in a span of its own; without a tracer the work alone. */
export function traceWork<Result>(
  tracer: Tracer | undefined,
  begun: BegunSpan & { parent?: TraceContext | undefined },
  task: () => Promise<Result>,
): Promise<Result> {
  return tracer ? runToEnd(tracer.begin(begun), task) : task();
}
