import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import type { FeedEntry, FeedFormat } from '../../src/supply/imports/formats.ts';
import { parseStoreLine } from '../../src/supply/imports/parse-store-line.ts';

/** A format, the files of one feed, and the ids of its stores. */
export type FormatSubject = { format: FeedFormat; files: readonly string[]; storeIds: readonly string[] };

/** The contract of an import format. */
export async function keepsFormatContract(t: TestContext, subject: FormatSubject): Promise<void> {
  const { format, files, storeIds } = subject;
  const readAll = async () => {
    const opened = await format.open(files, {
      now: Temporal.Instant.from('2026-06-10T17:00:00Z'),
      stdin: Readable.from([]),
    });
    const entries: FeedEntry[] = [];
    for await (const some of opened.entries) entries.push(...some);
    return entries;
  };
  await t.test('its stores are read as a feed may have them, each with a place in its file', async () => {
    const entries = await readAll();
    const ids = entries.flatMap((entry) => {
      assert.ok(Number.isSafeInteger(entry.line) && entry.line > 0, `line ${entry.line}`);
      if ('leftOut' in entry || 'warnings' in entry) return [];
      const parsed = 'parsed' in entry ? entry.parsed : parseStoreLine(entry.store);
      assert.ok(parsed.ok, parsed.ok ? '' : JSON.stringify(parsed.faults));
      return parsed.store.externalId;
    });
    assert.deepEqual(ids.toSorted(), [...storeIds].sort());
  });
  await t.test('the same files are read alike again', async () => {
    const texts = async () => (await readAll()).map((entry) => JSON.stringify(entry));
    assert.deepEqual(await texts(), await texts());
  });
}
