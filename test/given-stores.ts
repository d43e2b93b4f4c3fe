import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { importFiles } from '../src/imports/import-files.flow.ts';
import { storeIdOf } from '../src/stores/store-id.ts';
import type { FeedLine } from './feed-lines.ts';
import type { App } from './harness.ts';

const SOURCE = 'test';

/** Imports the lines as `doorstep import -` does, and returns their stores' ids once search has seen them. */
export async function givenStores(app: App, lines: readonly FeedLine[]): Promise<string[]> {
  const stdin = Readable.from([`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`]);
  const { db, clock } = app.service.deps;
  const { result } = await importFiles({ db, clock }, { files: ['-'], source: SOURCE, stdin });
  assert.deepEqual(result.errors, []);
  await app.catchUp();
  return lines.map((line) => storeIdOf(SOURCE, String(line.external_id)));
}
