import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkVersion, nameRepository, releaseChangelog, unreleasedEntries, VERSION_FILES } from './version-files.ts';

const USAGE =
  'npm run release -- X.Y.Z [--dry-run] [--tests-passed | --run-tests] [--repository URL] [--date YYYY-MM-DD] [--out FOLDER]';
const CHANGELOG = 'CHANGELOG.md';

/**
 * Makes a release of the working folder: checks, writes the version into its files, commits, tags, and packs the
 * service and its client with their SHA-256. Pushes and publishes nothing.
 */
function release(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean' },
      'tests-passed': { type: 'boolean' },
      'run-tests': { type: 'boolean' },
      repository: { type: 'string' },
      date: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const [version] = positionals;
  if (version === undefined || positionals.length > 1) throw new Error(USAGE);
  const date = values.date ?? `${Temporal.Now.plainDateISO('UTC')}`;
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error(`"${date}" is no date such as 2026-11-21.`);
  const written = plan(version, date, values.repository);
  const isDry = values['dry-run'] ?? false;
  if (!isDry) confirmTests(values);
  say(`Release ${version} of ${date}:\n\n${unreleasedEntries(readFileSync(CHANGELOG, 'utf8'), version)}\n`);
  for (const [file] of written) say(`${isDry ? 'would write' : 'writes'} ${file}`);
  if (isDry) {
    say(`would commit, tag v${version} and pack; nothing was changed.`);
    return;
  }
  for (const [file, text] of written) writeFileSync(file, text);
  git('add', '--', ...written.keys());
  git('commit', '--quiet', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Doorstep ${version}`);
  pack(resolve(values.out ?? join('releases', version)));
  say(`The commit and the tag v${version} are here alone: push them with git push --follow-tags.`);
}

/** Checks the preconditions; returns every file of the release with its new text. */
function plan(version: string, date: string, repository: string | undefined): Map<string, string> {
  const { version: now, repository: known } = JSON.parse(readFileSync('package.json', 'utf8'));
  // The first release keeps the version that the files already have.
  if (version !== now || git('tag', '--list', `v${now}`) !== '') checkVersion(now, version);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`There is a tag v${version} already.`);
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`The folder has changes that are not committed:\n${changed}`);
  if (repository === undefined && known === undefined) {
    throw new Error('package.json names no repository. Say --repository https://HOST/PATH, once: it stays.');
  }
  const files = Object.entries(VERSION_FILES).map(([file, write]): [string, string] => {
    const text = write(readFileSync(file, 'utf8'), now, version);
    return [file, (repository === undefined ? undefined : nameRepository(file, text, repository)) ?? text];
  });
  return new Map([...files, [CHANGELOG, releaseChangelog(readFileSync(CHANGELOG, 'utf8'), version, date)]]);
}

function confirmTests(values: { 'tests-passed'?: boolean; 'run-tests'?: boolean }): void {
  if (values['run-tests']) execFileSync('npm', ['test'], { stdio: 'inherit' });
  else if (!values['tests-passed']) {
    throw new Error('Say --run-tests, or --tests-passed where npm test has passed on this commit.');
  }
}

function pack(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of ['.', './clients/typescript']) {
    execFileSync('npm', ['pack', path, '--pack-destination', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const sums = packed.sort().map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  say(`packed in ${folder}:\n${sums.join('')}`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  release();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
