import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { clockAhead } from './shift-clock.ts';

const NINE_YEARS_MS = 9 * 365 * 86_400_000;
/** `Date()` has whole seconds, and the machine's clock may be adjusted while a process runs. */
const SLACK_MS = 2000;

/** Every way to read the time, in epoch milliseconds. */
const READ = `console.log(JSON.stringify([
  new Date().getTime(),
  Date.now(),
  Date.parse(Date()),
  Temporal.Now.instant().epochMilliseconds,
  Temporal.Now.zonedDateTimeISO('UTC').epochMilliseconds,
  Temporal.Now.plainDateTimeISO('UTC').toZonedDateTime('UTC').epochMilliseconds,
]))`;

/** The machine's clock, whatever shift this process has. */
const machineMs = () => performance.timeOrigin + performance.now();

async function readIn(script: string): Promise<number[]> {
  const env = { ...process.env, ...clockAhead(NINE_YEARS_MS) };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  return JSON.parse(stdout);
}

test('a process, and a process that it starts, read the time that they are given', async () => {
  const startProcess = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(READ)}], { stdio: 'inherit' })`;
  for (const script of [READ, startProcess]) {
    const startMs = machineMs() + NINE_YEARS_MS;
    const times = await readIn(script);
    const endMs = machineMs() + NINE_YEARS_MS;
    assert.equal(times.length, 6);
    for (const ms of times) assert.ok(ms > startMs - SLACK_MS && ms < endMs + SLACK_MS, `${ms} among ${times}`);
  }
});

test('a given date stays unchanged, and is a Date', async () => {
  const script = `const given = new Date(2031, 0, 2);
    console.log(JSON.stringify([given.getFullYear(), Number(given instanceof Date), Number(given.constructor === Date)]))`;
  assert.deepEqual(await readIn(script), [2031, 1, 1]);
});
