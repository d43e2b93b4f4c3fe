import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadApart } from '../apart-packages.ts';
import { SUBJECTS, type Subject } from './subjects.ts';

/**
 * Mutation tests of pure rules: changes one place at a time and runs the rule's tests. `npm run mutate [-- SUBJECT…]`
 * prints each surviving mutant, and the share that was killed alongside its limit. `-- --tonight` takes one subject by
 * the date, each in turn.
 */
const MIN_FOUND = 90;
const FOLDER = join(import.meta.dirname, '../..');
const SANDBOX = '.mutants';

type Mutant = { status: string };
type Mutation = { Stryker: new (options: object) => { runMutationTest(): Promise<Mutant[]> } };
const { Stryker } = await loadApart<Mutation>(join(import.meta.dirname, './package'));

const DAY_MS = 86_400_000;
const tonight = SUBJECTS[Math.floor(Temporal.Now.instant().epochMilliseconds / DAY_MS) % SUBJECTS.length];
const wanted = process.argv.slice(2).map((name) => (name === '--tonight' ? (tonight?.name ?? name) : name));
const unknown = wanted.filter((name) => !SUBJECTS.some((subject) => subject.name === name));
if (unknown.length > 0) throw new Error(`No such subject: ${unknown.join(', ')}.`);

const scores: string[] = [];
for (const subject of SUBJECTS) {
  if (wanted.length > 0 && !wanted.includes(subject.name)) continue;
  const { found, count } = await mutate(subject);
  const percent = (100 * found) / count;
  scores.push(`${subject.name.padEnd(12)} ${found} of ${count} found, ${percent.toFixed(1)} % (limit ${MIN_FOUND} %)`);
  if (percent < MIN_FOUND) process.exitCode = 1;
}
rmSync(join(FOLDER, SANDBOX), { recursive: true, force: true });
process.stdout.write(`\n${scores.join('\n')}\n`);

async function mutate({ rules, tests }: Subject): Promise<{ found: number; count: number }> {
  const results = await new Stryker({
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    tap: { testFiles: [...tests], nodeArgs: ['--test-reporter=tap', '--import', './test/mutate/without-shrinking.ts'] },
    mutate: [...rules],
    coverageAnalysis: 'perTest',
    // Our compiler lacks the JavaScript API that Stryker calls, and Node.js strips the types itself.
    tsconfigFile: 'none',
    tempDirName: SANDBOX,
    concurrency: 2,
    timeoutMS: 60_000,
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    ignorePatterns: ['docs', 'bench', 'demo', 'web'],
  }).runMutationTest();
  const counted = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
  const found = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  return { found: found.length, count: counted.length };
}
