import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Collector, givenCollector } from '../../../test/given-collector.ts';
import { type Answerer, givenReceiver } from '../../../test/given-receiver.ts';
import { nextTurn } from '../../../test/next-turn.ts';
import { holdTimeOuts } from '../../../test/time-outs.ts';
import { until } from '../../../test/until.ts';
import { beginTrace, endSpan, type KeepSpan, newTraceId } from '../../lib/tracing/span.ts';
import { CLOSE_MS, createOtlpExporter, MAX_BATCH, MAX_WAITING } from './otlp-exporter.ts';

const EPOCH_NS = 1_780_000_000_000_000_000n;
const ends: (() => unknown)[] = [];
after(() => Promise.all(ends.map((end) => end())));

async function given(answer?: Answerer): Promise<Collector> {
  const collector = await givenCollector(answer);
  ends.push(collector.close);
  return collector;
}

/** An exporter with a clock and a log of its own. */
function givenExporter(url: string) {
  let now = Temporal.Instant.from('2026-06-10T17:00:00Z');
  const lines: { lost: number; reason: string }[] = [];
  const exporter = createOtlpExporter({
    ...{ url, headers: {}, resource: { 'service.name': 'test' }, version: '1', clock: { now: () => now } },
    log: { warn: (line: { lost: number; reason: string }) => void lines.push(line) } as never,
  });
  ends.push(() => exporter.close());
  return { exporter, lines, pass: (duration: Temporal.DurationLike) => (now = now.add(duration)) };
}

function add(keep: KeepSpan, count: number): void {
  for (let n = 0; n < count; n += 1) {
    const begun = { name: `work ${n}`, kind: 'internal', isSampled: true, parentSpanId: undefined } as const;
    endSpan(beginTrace({ ...begun, traceId: newTraceId() }, { epochNs: EPOCH_NS, keep }));
  }
}

test('every span reaches the collector once, in batches', async () => {
  const collector = await given();
  const { exporter, lines } = givenExporter(collector.url);
  add(exporter.add, 1000);
  await exporter.flush();
  const spans = collector.spans();
  assert.deepEqual([spans.length, new Set(spans.map(({ spanId }) => spanId)).size], [1000, 1000]);
  assert.equal(collector.calls.length, Math.ceil(1000 / MAX_BATCH));
  assert.deepEqual([exporter.waiting(), lines], [0, []]);
  assert.ok(spans.every(({ startNs }) => startNs === EPOCH_NS));
});

test('a span leaves by itself', async () => {
  const collector = await given();
  add(givenExporter(collector.url).exporter.add, 1);
  await until('the span has arrived', () => collector.calls.length === 1);
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
  test(`${fault} costs the spans of a request and one log line a minute, and nothing is repeated`, async () => {
    const collector = await given(answer);
    const { exporter, lines, pass } = givenExporter(collector.url);
    for (let round = 0; round < 3; round += 1) {
      add(exporter.add, 10);
      await exporter.flush();
    }
    assert.deepEqual([collector.calls.length, exporter.waiting()], [3, 0]);
    assert.deepEqual(
      lines.map(({ lost }) => lost),
      [10],
    );
    pass({ minutes: 1 });
    add(exporter.add, 10);
    await exporter.flush();
    assert.deepEqual(
      lines.map(({ lost }) => lost),
      [10, 30],
    );
    collector.answer = (_call, response) => response.writeHead(200).end('{}');
    collector.calls.length = 0;
    add(exporter.add, 10);
    await exporter.flush();
    assert.equal(collector.spans().length, 10);
    assert.equal((await canary).connections(), 0);
  });
}

test('a collector that is down or hangs has a bounded number of spans wait, and the rest is counted as lost', async (t) => {
  const timeOuts = holdTimeOuts(t);
  const collector = await given(() => {});
  const { exporter, lines, pass } = givenExporter(collector.url);
  add(exporter.add, 20_000);
  assert.equal(exporter.waiting(), MAX_WAITING);
  await until('a request hangs', () => collector.calls.length === 1);
  add(exporter.add, 20_000);
  assert.equal(exporter.waiting(), MAX_WAITING);
  assert.equal(collector.calls.length, 1);
  await timeOuts.passUntilEnd(exporter.flush());
  pass({ minutes: 1 });
  await timeOuts.passUntilEnd(exporter.close());
  const lost = lines.reduce((sum, line) => sum + line.lost, 0);
  assert.ok(lines.length <= 3, JSON.stringify(lines));
  assert.equal(lost + exporter.waiting(), 40_000);
});

test('the end sends what waits, and does not wait longer for a collector that hangs', async (t) => {
  const collector = await given();
  const good = givenExporter(collector.url).exporter;
  add(good.add, 3 * MAX_BATCH);
  await good.close();
  assert.equal(collector.spans().length, 3 * MAX_BATCH);
  add(good.add, 1);
  assert.equal(good.waiting(), 0);

  const timeOuts = holdTimeOuts(t);
  const hanging = await given(() => {});
  const { exporter } = givenExporter(hanging.url);
  add(exporter.add, 3 * MAX_BATCH);
  const closed = exporter.close();
  await until('a request hangs', () => hanging.calls.length === 1);
  timeOuts.pass(CLOSE_MS - 1);
  assert.equal(await Promise.race([closed.then(() => 'closed'), nextTurn().then(() => 'open')]), 'open');
  timeOuts.pass(1);
  await closed;
  assert.equal(hanging.calls.length, 1);
});

test('spans that a collector says it rejected are counted as lost', async () => {
  const answers = [
    '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"x"}}',
    '{"partialSuccess":{"rejectedSpans":-1e99}}',
    '[',
    '',
  ];
  const collector = await given((_call, response) => response.writeHead(200).end(answers.shift()));
  const { exporter, lines } = givenExporter(collector.url);
  while (answers.length > 0) {
    add(exporter.add, 5);
    await exporter.flush();
  }
  assert.deepEqual(lines, [{ lost: 3, reason: 'The collector rejected spans.' }]);
});
