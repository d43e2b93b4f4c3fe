import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { MOMENTS } from './moments.ts';
import { openRunDatabase } from './open-run-database.ts';
import { findRealClockTests } from './real-clock-tests.ts';
import { clockAhead } from './shift-clock.ts';

/** It ends a file that would never end, and says nothing of speed. */
const LONGEST_FILE_MS = 15 * 60_000;
const ROOT = join(import.meta.dirname, '..');

/** Runs one file in processes whose clock starts at the moment; returns what it printed where it failed. */
async function runAt(moment: string, file: string, databaseUrl: string): Promise<string | undefined> {
  const aheadMs = Temporal.Instant.from(moment).epochMilliseconds - Temporal.Now.instant().epochMilliseconds;
  const env = {
    ...process.env,
    ...clockAhead(aheadMs),
    // `npm start` of a journey finds this Node.js.
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    DATABASE_URL: databaseUrl,
  };
  const child = spawn(process.execPath, [file], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const tooLong = setTimeout(() => child.kill('SIGTERM'), LONGEST_FILE_MS);
  const status = await new Promise<number | null>((done) => child.on('close', done));
  clearTimeout(tooLong);
  return status === 0 ? undefined : printed;
}

/** One row of the table for each moment, one file after the other: `npm run any-hour [-- PART-OF-A-NAME…]`. */
const parts = process.argv.slice(2);
const files = findRealClockTests(ROOT).filter(
  (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
);
if (files.length === 0)
  throw new Error(`No test that reads the machine's clock has ${parts.join(' or ')} in its name.`);
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
