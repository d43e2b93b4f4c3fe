import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { MOMENTS } from './moments.ts';
import { openRunDatabase } from './open-run-database.ts';
import { findRealClockTests } from './real-clock-tests.ts';
import { clockAhead } from './shift-clock.ts';

/** It ends a file that would never end, and says nothing of speed. */
const LONGEST_FILE_MS = 15 * 60_000;
const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(mkdtempSync(join(tmpdir(), 'doorstep-any-hour-')), 'output.txt');

/** Runs one file in processes whose clock starts at the moment; returns the output of a file that fails. */
async function runAt(moment: string, file: string, databaseUrl: string): Promise<string | undefined> {
  const aheadMs = Temporal.Instant.from(moment).epochMilliseconds - Temporal.Now.instant().epochMilliseconds;
  const env = {
    ...process.env,
    ...clockAhead(aheadMs),
    // `npm start` of a journey finds this Node.js.
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    DATABASE_URL: databaseUrl,
  };
  // A process that a failed test leaves behind can hold a pipe open, and cannot hold up the end of a file.
  const output = openSync(OUTPUT, 'w');
  const child = spawn(process.execPath, [file], { cwd: ROOT, env, stdio: ['ignore', output, output] });
  const tooLong = setTimeout(() => child.kill('SIGTERM'), LONGEST_FILE_MS);
  const status = await new Promise<number | null>((done) => child.on('exit', done));
  clearTimeout(tooLong);
  closeSync(output);
  return status === 0 ? undefined : readFileSync(OUTPUT, 'utf8');
}

// `npm run any-hour [-- PART-OF-A-PATH…]`: a row for each moment, one file after the other.
const parts = process.argv.slice(2);
const isAsked = (file: string) => parts.length === 0 || parts.some((part) => file.includes(part));
const files = findRealClockTests(ROOT).filter(isAsked);
if (files.length === 0) throw new Error(`No test of ${parts.join(', ')} reads the machine's clock.`);
await using database = await openRunDatabase();
const say = (line: string) => void process.stdout.write(`${line}\n`);
say(`${files.length} files read the machine's clock:\n${files.map((file) => `  ${file}`).join('\n')}`);
for (const [what, moments] of Object.entries(MOMENTS)) {
  say(`\n${what}`);
  for (const moment of moments) {
    const failed: string[] = [];
    for (const file of files) {
      const printed = await runAt(moment, file, database.connectionString);
      if (printed === undefined) continue;
      failed.push(file);
      say(printed);
    }
    if (failed.length > 0) process.exitCode = 1;
    say(`  ${moment}  ${failed.length === 0 ? 'passed' : `FAILED: ${failed.join(', ')}`}`);
  }
}
rmSync(dirname(OUTPUT), { recursive: true });
