import assert from 'node:assert/strict';
import { type Answerer, givenReceiver, type Receiver } from './receiver.ts';

/** A span as a collector reads it: OTLP's names, with attributes as one object. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  startNs: bigint;
  endNs: bigint;
  attributes: Readonly<Record<string, string | number | boolean>>;
  /** `error.type` of a failed span. */
  failure: unknown;
};

export type Collector = Receiver & {
  spans(): CollectedSpan[];
  /** Resource attributes of the processes that sent spans. */
  resources(): Readonly<Record<string, string | number | boolean>>[];
};

export const KIND = { internal: 1, server: 2, client: 3, consumer: 5 };

/** A loopback collector for OTLP over HTTP in JSON; fails the test on a payload that is not valid OTLP. */
export async function givenCollector(answer?: Answerer): Promise<Collector> {
  const receiver = await givenReceiver(
    answer ?? ((_call, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')),
  );
  const batches = () => receiver.calls.flatMap(({ body }) => JSON.parse(body).resourceSpans as Batch[]);
  return Object.assign(receiver, {
    spans: () => batches().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(read))),
    resources: () => batches().map(({ resource }) => attributesOf(resource.attributes)),
  });
}

type KeyValue = {
  key: string;
  value: { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number };
};
type Batch = { resource: { attributes: KeyValue[] }; scopeSpans: { spans: Record<string, unknown>[] }[] };

function attributesOf(pairs: readonly KeyValue[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => {
      const [[kind, read] = assert.fail(), ...others] = Object.entries(value);
      assert.equal(others.length, 0, key);
      if (kind === 'intValue') assert.match(String(read), /^-?\d+$/);
      return [key, kind === 'intValue' ? Number(read) : read];
    }),
  );
}

function read(span: Record<string, unknown>): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano, status } = span;
  assert.match(String(traceId), /^[\da-f]{32}$/);
  assert.match(String(spanId), /^[\da-f]{16}$/);
  if (parentSpanId !== undefined) assert.match(String(parentSpanId), /^[\da-f]{16}$/);
  for (const time of [startTimeUnixNano, endTimeUnixNano]) assert.match(String(time), /^\d{19}$/);
  const attributes = attributesOf(span.attributes as KeyValue[]);
  const { code = 0 } = status as { code?: number };
  assert.equal(code, 'error.type' in attributes ? 2 : 0);
  const [startNs, endNs] = [BigInt(String(startTimeUnixNano)), BigInt(String(endTimeUnixNano))];
  assert.ok(startNs <= endNs);
  const ids = { traceId: String(traceId), spanId: String(spanId), parentSpanId: parentSpanId as string | undefined };
  return {
    ...ids,
    name: String(name),
    kind: Number(kind),
    startNs,
    endNs,
    attributes,
    failure: attributes['error.type'],
  };
}
