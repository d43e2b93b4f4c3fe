import type { TestEvent } from 'node:test/reporters';

const MAX_MESSAGE = 500;

/**
 * A reporter that writes, as soon as they fail, the tests and hooks of a run, indented, and then their files. Node.js
 * reports the tests of a process in order only once the processes before it have ended.
 */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || data.details.passed) continue;
    if (data.nesting > 0) yield `  ${data.name}: ${messageOf(data.details.error)}\n`;
    else if (data.details.type === 'suite') yield `${data.name}\n`;
  }
}

const messageOf = (error: Error | undefined): string =>
  (error?.cause instanceof Error ? error.cause.message : (error?.message ?? ''))
    .replaceAll(/\s+/g, ' ')
    .slice(0, MAX_MESSAGE);
