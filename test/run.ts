import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/db/open-database.ts';
import { createLog } from '../src/lib/log.ts';

/** A file that leaves something open after a failed check never ends: the run is told to end, and then says what failed. */
const LONGEST_RUN_MS = 40 * 60_000;

/** Runs all tests against one database: DATABASE_URL's, or an embedded one made for this run and thrown away. */
const dataDir = mkdtempSync(join(tmpdir(), 'doorstep-test-'));
const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir }, createLog('warn'));
const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'demo/**/*.test.ts']);
const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...files.sort()], {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: database.connectionString },
});
const tooLong = setTimeout(() => child.kill('SIGTERM'), LONGEST_RUN_MS);
const code = await new Promise<number>((done) => child.on('exit', (status) => done(status ?? 1)));
clearTimeout(tooLong);
await database.close();
rmSync(dataDir, { recursive: true, force: true });
process.exitCode = code;
