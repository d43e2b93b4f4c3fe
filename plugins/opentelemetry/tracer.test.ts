import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { activeTraceparent, inSpan, type Tracer, traceWork } from '../../src/platform/lib/tracing.ts';
import { type Collector, givenCollector } from '../../test/given/collector.ts';
import { type Answerer, givenReceiver } from '../../test/given/receiver.ts';
import { until } from '../../test/until.ts';
import { MAX_BATCH, MAX_WAITING, openOpenTelemetry } from './tracer.ts';

const ends: (() => unknown)[] = [];
after(() => Promise.all(ends.map((end) => end())));

async function given(answer?: Answerer): Promise<Collector> {
  const collector = await givenCollector(answer);
  ends.push(collector.close);
  return collector;
}

/** A tracer with its own clock and log. */
function givenTracer(endpoint: string, timeoutMs?: number) {
  let now = Temporal.Instant.from('2026-06-10T17:00:00Z');
  const lines: { lost: number }[] = [];
  const tracer = openOpenTelemetry({
    endpoint,
    clock: { now: () => now },
    log: { warn: (line: { lost: number }) => void lines.push(line) } as never,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  ends.push(() => tracer.close());
  return { tracer, lines, pass: (duration: Temporal.DurationLike) => (now = now.add(duration)) };
}

function add(tracer: Tracer, count: number): void {
  for (let n = 0; n < count; n += 1) tracer.begin({ name: `work ${n}`, kind: 'internal' }).end();
}

test('every span reaches the collector once, in batches, and begins at a moment of the clock', async () => {
  const collector = await given();
  const { tracer, lines } = givenTracer(collector.url);
  add(tracer, 1000);
  await tracer.flush();
  await until('all have arrived', () => collector.spans().length === 1000);
  const spans = collector.spans();
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, 1000);
  assert.equal(collector.calls.length, Math.ceil(1000 / MAX_BATCH));
  assert.deepEqual(lines, []);
  assert.ok(spans.every(({ startNs }) => startNs === Temporal.Instant.from('2026-06-10T17:00:00Z').epochNanoseconds));
});

test('a span leaves by itself', async () => {
  const collector = await given();
  add(givenTracer(collector.url).tracer, 1);
  await until('the span has arrived', () => collector.calls.length === 1);
});

test('nested work is a child span; a failure has its kind without its message', async () => {
  const collector = await given();
  const { tracer } = givenTracer(collector.url);
  let later: string | undefined;
  const work = traceWork(tracer, { name: 'above', kind: 'consumer' }, async () => {
    later = activeTraceparent();
    await inSpan({ name: 'below', kind: 'client' }, async () => {
      throw Object.assign(new Error('of Aunt Margarethe'), { code: 'E_WORK' });
    });
  });
  await assert.rejects(work);
  tracer.begin({ name: 'later', kind: 'consumer', traceparent: later }).end();
  await tracer.flush();
  const [below, above, following] = ['below', 'above', 'later'].map((name) =>
    collector.spans().find((span) => span.name === name),
  );
  assert.deepEqual([below?.parentSpanId, following?.parentSpanId], [above?.spanId, above?.spanId]);
  assert.equal(new Set([below, above, following].map((span) => span?.traceId)).size, 1);
  assert.deepEqual([below?.failure, above?.failure, following?.failure], ['E_WORK', 'E_WORK', undefined]);
  assert.doesNotMatch(collector.calls.map(({ body }) => body).join(), /Margarethe/);
});

test('a trace that is not recorded above is not recorded here, and says so to work that follows', async () => {
  const collector = await given();
  const { tracer } = givenTracer(collector.url);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const span = tracer.begin({ name: 'x', kind: 'server', traceparent: `00-${traceId}-b7ad6b7169203331-00` });
  assert.match(span.traceparent, new RegExp(`^00-${traceId}-[\\da-f]{16}-00$`));
  span.end();
  await tracer.flush();
  assert.equal(collector.calls.length, 0);
});

const canary = givenReceiver();
ends.push(async () => (await canary).close());
const FAULTS: Readonly<Record<string, Answerer>> = {
  'status 500': (_call, response) => response.writeHead(500).end('no'),
  'status 429': (_call, response) => response.writeHead(429, { 'retry-after': '86400' }).end(),
  'a redirect': async (_call, response) => response.writeHead(307, { location: (await canary).url }).end(),
  'a broken connection': (_call, _response, socket) => socket.resetAndDestroy(),
  'a head of a megabyte': (_call, response) => response.writeHead(200, { 'x-long': 'y'.repeat(1_000_000) }).end(),
  'a body of a gigabyte': (_call, response) => {
    const piece = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', more);
    };
    response.writeHead(200, { 'content-length': String(2 ** 30) });
    more();
  },
};

for (const [fault, answer] of Object.entries(FAULTS)) {
  test(`${fault} costs the spans of a request, and one log line a minute`, async () => {
    const collector = await given(answer);
    // A short timeout leaves no room for retries. Reading a 4 MB body takes longer on a busy machine.
    const { tracer, lines, pass } = givenTracer(collector.url, fault === 'a body of a gigabyte' ? undefined : 200);
    for (let round = 0; round < 3; round += 1) {
      add(tracer, 10);
      await tracer.flush();
    }
    assert.deepEqual(lines, [{ lost: 10 }]);
    pass({ minutes: 1 });
    add(tracer, 10);
    await tracer.flush();
    assert.deepEqual(lines, [{ lost: 10 }, { lost: 30 }]);
    collector.answer = (_call, response) => response.writeHead(200).end('{}');
    collector.calls.length = 0;
    add(tracer, 10);
    await tracer.flush();
    assert.equal(collector.spans().length, 10);
    assert.equal((await canary).connections(), 0);
  });
}

test('a collector that hangs has a bounded number of spans wait, others are counted, and the end does not wait', async () => {
  const collector = await given(() => {});
  const { tracer, lines, pass } = givenTracer(collector.url);
  add(tracer, 20_000);
  await until('a request hangs', () => collector.calls.length === 1);
  pass({ minutes: 1 });
  add(tracer, MAX_WAITING);
  const [first, second, ...others] = lines.map(({ lost }) => lost);
  assert.deepEqual([first, others], [1, []]);
  assert.ok(Number(second) >= 20_000 - MAX_WAITING - MAX_BATCH, String(second));
  await tracer.close();
  assert.ok(collector.spans().length <= MAX_WAITING + MAX_BATCH, String(collector.spans().length));
});
