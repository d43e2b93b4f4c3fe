import type { TestEvent } from 'node:test/reporters';

/** A reporter that writes the names of the files of a run with a failed test or hook, one a line. */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) if (type === 'test:fail' && data.nesting === 0) yield `${data.name}\n`;
}
