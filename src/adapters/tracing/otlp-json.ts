import type { Attributes, Span, SpanKind } from '../../lib/tracing/span.ts';

/** `SpanKind` and `Status.StatusCode` of opentelemetry/proto/trace/v1/trace.proto. */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
const STATUS_ERROR = 2;
const NS_PER_MS = 1e6;

/**
 * The body of an export of traces: `ExportTraceServiceRequest` as JSON, in which ids are hexadecimal and 64-bit numbers
 * are texts (the OTLP specification, section JSON Protobuf Encoding).
 */
export function encodeSpans(spans: readonly Span[], resource: Attributes, version: string): string {
  const scope = { name: 'doorstep', version };
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes: keyValues(resource) }, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] },
    ],
  });
}

function encodeSpan({ context, parentSpanId, name, kind, anchor, startMs, endMs, attributes, failure }: Span): object {
  const timeOf = (ms: number) => String(anchor.epochNs + BigInt(Math.round(ms * NS_PER_MS)));
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    flags: 1,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: timeOf(startMs),
    endTimeUnixNano: timeOf(endMs ?? startMs),
    attributes: keyValues(failure === undefined ? attributes : { ...attributes, 'error.type': failure }),
    status: failure === undefined ? {} : { code: STATUS_ERROR },
  };
}

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
