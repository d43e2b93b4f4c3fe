import type { TestEvent } from 'node:test/reporters';

const MAX_MESSAGE = 500;

/** A reporter that writes the names of the files of a run with a failed test or hook, and indented what failed. */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    if (data.nesting === 0) yield `${data.name}\n`;
    else yield `  ${data.name}: ${messageOf(data.details.error)}\n`;
  }
}

const messageOf = ({ cause, message }: Error): string =>
  (cause instanceof Error ? cause.message : message).replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE);
