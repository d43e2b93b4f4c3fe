import { Readable } from 'node:stream';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import type { Clock } from '../../src/platform/lib/clock.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';

/** Imports one file into a schema, in a process that a test kills: `import-child.ts CONNECTION SCHEMA FILE`. */
const [connectionString = '', schema = '', file = ''] = process.argv.slice(2);
const db = openDb(openPool({ connectionString, schema }));
const clock: Clock = { now: () => Temporal.Instant.from('2026-06-10T17:00:00Z') };
await importFiles({ db, clock }, { files: [file], source: 'killed', stdin: Readable.from([]) });
await db.destroy();
