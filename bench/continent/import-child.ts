import { Readable } from 'node:stream';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { SOURCE } from './forms.ts';

/** Runs the import command on feed files in its own process and sends the report. */
const [connectionString = '', schema = '', ...files] = process.argv.slice(2);
const pool = openPool({ connectionString, schema });
const db = openDb(pool);
const imported = await importFiles({ db, clock: systemClock }, { files, source: SOURCE, stdin: Readable.from([]) });
await db.destroy();
const { user, system } = process.cpuUsage();
process.send?.({ result: imported.result, cpuS: (user + system) / 1e6, peakMb: process.resourceUsage().maxRSS / 1024 });
process.once('disconnect', () => process.exit(0));
