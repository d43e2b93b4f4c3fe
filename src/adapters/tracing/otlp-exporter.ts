import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { fetchText } from '../../lib/fetch-text.ts';
import { memberOf, objectIn, parseJsonObject } from '../../lib/json-object.ts';
import { createMinuteLimit } from '../../lib/minute-limit.ts';
import { OutsideError } from '../../lib/outside-error.ts';
import type { Attributes, Span } from '../../lib/tracing/span.ts';
import type { SpanSink } from '../../lib/tracing/tracer.ts';
import { encodeSpans } from './otlp-json.ts';

export type OtlpExporterOptions = {
  url: string;
  headers: Readonly<Record<string, string>>;
  resource: Attributes;
  version: string;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
};

/** Spans that wait at most; a span beyond is lost. A span with its attributes takes about 2 kB. */
export const MAX_WAITING = 2048;
/** Spans of one request: some 160 kB of JSON, written in about a millisecond. */
export const MAX_BATCH = 256;
/** How long a span waits for others. */
const SEND_EVERY_MS = 2000;
const TIMEOUT_MS = 5000;
/** What the end of a service waits for its last spans, in all. */
export const CLOSE_MS = 2000;
/** An answer of a collector has a sentence at most. */
const CALLED = { party: 'trace collector', host: 'The collector', maxBytes: 64 * 1024 };

type Losses = { add(count: number, reason: string): void; end(): void };

/** Sends spans to a collector in the background. `close` sends what waits, within `CLOSE_MS`. */
export type OtlpExporter = SpanSink & { waiting(): number; close(): Promise<void> };

/**
 * One request is under way at a time, and none is repeated: a collector that is slow, down or hostile costs its spans, at
 * most `MAX_WAITING` spans of memory, and one log line a minute. After a failure the next request waits for the timer.
 */
export function createOtlpExporter(options: OtlpExporterOptions): OtlpExporter {
  const losses = countLost(options);
  const ending = new AbortController();
  let waiting: Span[] = [];
  let isTaken = true;
  let isClosing = false;
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    if (isClosing || waiting.length === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void sendWaiting();
    }, SEND_EVERY_MS).unref();
  };
  const sendBatch = async (): Promise<void> => {
    const batch = waiting.slice(0, MAX_BATCH);
    waiting = waiting.slice(MAX_BATCH);
    try {
      const rejected = await send(options, batch, ending.signal);
      isTaken = true;
      if (rejected > 0) losses.add(rejected, 'The collector rejected spans.');
    } catch (error) {
      isTaken = false;
      losses.add(batch.length, error instanceof OutsideError ? error.message : 'failed inside');
    }
  };
  /** Sends what waits at the beginning; ends with the first failure. */
  const sendBatches = async (): Promise<void> => {
    let left = waiting.length;
    do {
      left -= MAX_BATCH;
      await sendBatch();
    } while (left > 0 && isTaken);
    sending = undefined;
    if (isTaken && waiting.length >= MAX_BATCH) void sendWaiting();
    else schedule();
  };
  const sendWaiting = (): Promise<void> => {
    if (waiting.length > 0) sending ??= sendBatches();
    return sending ?? Promise.resolve();
  };
  const flush = async (): Promise<void> => {
    await sending;
    await sendWaiting();
  };
  return {
    add(span) {
      if (waiting.length >= MAX_WAITING || ending.signal.aborted) return losses.add(1, 'Too many spans wait.');
      waiting.push(span);
      if (isTaken && waiting.length >= MAX_BATCH) void sendWaiting();
      else schedule();
    },
    flush,
    waiting: () => waiting.length,
    async close() {
      isClosing = true;
      clearTimeout(timer);
      AbortSignal.timeout(CLOSE_MS).addEventListener('abort', () => ending.abort());
      await flush();
      ending.abort();
      if (waiting.length > 0) losses.add(waiting.length, 'The service ended.');
      losses.end();
      waiting = [];
    },
  };
}

/** Sends one batch; returns how many of its spans the collector rejected. Throws OutsideError. */
async function send(
  { url, headers, resource, version }: OtlpExporterOptions,
  batch: readonly Span[],
  ending: AbortSignal,
): Promise<number> {
  const init: RequestInit = {
    method: 'POST',
    redirect: 'error',
    headers: { ...headers, 'content-type': 'application/json' },
    body: encodeSpans(batch, resource, version),
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ending]),
  };
  const { status, text } = await fetchText(url, init, CALLED);
  if (status < 200 || status > 299) {
    throw new OutsideError(CALLED.party, `The collector answered ${status}.`, { retryable: true });
  }
  const rejected = Number(memberOf(objectIn(parseJsonObject(text) ?? {}, 'partialSuccess'), 'rejectedSpans') ?? 0);
  return Number.isInteger(rejected) ? Math.min(Math.max(0, rejected), batch.length) : 0;
}

/** One log line a minute at most, and one at the end, with the number of the spans that were lost since the last line. */
function countLost({ clock, log }: OtlpExporterOptions): Losses {
  const secondsToWait = createMinuteLimit(1, clock);
  let lost = 0;
  const tell = (reason: string): void => {
    log.warn({ lost, reason }, 'spans of traces are lost; see OTEL_EXPORTER_OTLP_ENDPOINT');
    lost = 0;
  };
  return {
    add(count, reason) {
      lost += count;
      if (secondsToWait('lost') === undefined) tell(reason);
    },
    end() {
      if (lost > 0) tell('The service ended.');
    },
  };
}
