import {
  type Context,
  type HrTime,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind as SdkSpanKind,
  type Tracer as SdkTracer,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import {
  type Attributes,
  type BegunSpan,
  type Clock,
  type OpenedTracer,
  oncePerMinute,
  type PluginLog,
  randomId,
  type Span,
  type SpanKind,
  VERSION,
} from 'doorstep/plugin';

/*
 * Tracing with OpenTelemetry's SDK. Its packages are optional: operators who set a collector install them
 * (docs/monitoring.md#traces). The SDK reads sampler, headers and resource from the environment.
 */

export type OpenTelemetryOptions = {
  /** The collector's URL, without `/v1/traces`. */
  endpoint: string;
  /** The node's role, an attribute of its traces. */
  role?: string | undefined;
  clock: Clock;
  log: Pick<PluginLog, 'warn'>;
  /** Time limit of an export, including retries. */
  timeoutMs?: number;
};

/** Maximum waiting spans; further ones are lost. A span with attributes takes about 2 kB. */
export const MAX_WAITING = 2048;
/** Maximum spans per export request: about 160 kB of JSON, serialized in about a millisecond. */
export const MAX_BATCH = 256;
const SEND_EVERY_MS = 2000;
const TIMEOUT_MS = 5000;
/** Time limit for the last spans when the service stops. */
const CLOSE_MS = 2000;

/** Opens tracing. A slow, unavailable or hostile collector costs only its spans and one log line a minute. */
export function openOpenTelemetry(options: OpenTelemetryOptions): OpenedTracer {
  const { endpoint, role, clock, log, timeoutMs = TIMEOUT_MS } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: timeoutMs,
    // When the service ends, all waiting spans are sent at once; before, one batch at a time.
    concurrencyLimit: MAX_WAITING / MAX_BATCH,
    httpAgentOptions: { keepAlive: false },
  });
  const named = resourceFromAttributes({
    'service.name': 'doorstep',
    'service.version': VERSION,
    'service.instance.id': randomId('', 9),
    'doorstep.role': role,
  });
  const provider = new BasicTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [batchSpans(exporter, { clock, log, timeoutMs })],
  });
  const tracer = provider.getTracer('doorstep', VERSION);
  return {
    begin({ traceparent, ...begun }) {
      const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
      const above = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
      return new TracedWork({ tracer, clock }, begun, above);
    },
    flush: () => provider.forceFlush().catch(() => {}),
    async close() {
      const { promise: isLate, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_MS);
      await Promise.race([provider.shutdown().catch(() => {}), isLate]);
      clearTimeout(timer);
    },
  };
}

const KINDS: Readonly<Record<SpanKind, SdkSpanKind>> = {
  internal: SdkSpanKind.INTERNAL,
  server: SdkSpanKind.SERVER,
  client: SdkSpanKind.CLIENT,
  consumer: SdkSpanKind.CONSUMER,
};

type Source = { tracer: SdkTracer; clock: Clock };

/** A span whose start is the service's clock, and whose duration is monotonic. */
class TracedWork implements Span {
  isEnded = false;
  private readonly source: Source;
  private readonly span: SdkSpan;
  private readonly startTime: HrTime;
  private readonly startMs: number;

  constructor(source: Source, { name, kind, attributes }: BegunSpan, above: Context) {
    this.source = source;
    this.startTime = hrTimeOf(source.clock.now().epochNanoseconds);
    this.startMs = performance.now();
    const begun = {
      kind: KINDS[kind],
      startTime: this.startTime,
      ...(attributes && { attributes: { ...attributes } }),
    };
    this.span = source.tracer.startSpan(name, begun, above);
  }

  get isSampled(): boolean {
    return this.span.isRecording();
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  beginChild(begun: BegunSpan): Span {
    return new TracedWork(this.source, begun, trace.setSpan(ROOT_CONTEXT, this.span));
  }

  describe(attributes: Attributes): void {
    this.span.setAttributes({ ...attributes });
  }

  fail(failure: string): void {
    this.span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const [seconds, nanoseconds] = this.startTime;
    const lengthNs = BigInt(Math.round((performance.now() - this.startMs) * 1e6));
    this.span.end(hrTimeOf(BigInt(seconds) * NS_PER_SECOND + BigInt(nanoseconds) + lengthNs));
  }
}

const NS_PER_SECOND = 1_000_000_000n;
const hrTimeOf = (epochNs: bigint): HrTime => [Number(epochNs / NS_PER_SECOND), Number(epochNs % NS_PER_SECOND)];

type BatchOptions = Pick<OpenTelemetryOptions, 'clock' | 'log'> & { timeoutMs: number };

/**
 * Exports spans in batches. Logs up to once a minute how many were lost, in a failed export or because too many wait:
 * the SDK drops those without a word.
 */
function batchSpans(exporter: SpanExporter, { clock, log, timeoutMs }: BatchOptions): SpanProcessor {
  const newsOf = oncePerMinute(clock);
  const noteLost = (spans: number) => {
    const lost = newsOf('lost', spans);
    if (lost > 0) log.warn({ lost }, 'spans of traces are lost; see OTEL_EXPORTER_OTLP_ENDPOINT');
  };
  let waiting = 0;
  const counted: SpanExporter = {
    export(spans: ReadableSpan[], done) {
      waiting -= spans.length;
      exporter.export(spans, (result) => {
        if (result.error) noteLost(spans.length);
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor(counted, {
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: MAX_BATCH,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: 2 * timeoutMs,
  });
  return {
    onStart: () => {},
    onEnd(span) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (waiting >= MAX_WAITING) return noteLost(1);
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
