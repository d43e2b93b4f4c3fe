import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from './scores.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(import.meta.dirname, 'package');
const INSTALLED = join(ROOT, 'node_modules/.cache/lighthouse');
const PROGRAM = join(INSTALLED, 'node_modules/lighthouse/cli/index.js');
/** It ends a run that would never end, and says nothing of speed. */
const TIMEOUT_MS = 300_000;

/** How Lighthouse simulates the reader: a phone on slow 4G, or a desk on cable. The network of this machine does not count. */
export const FORMS = { mobile: [], desktop: ['--preset=desktop'] } as const;
export type Form = keyof typeof FORMS;

/**
 * Installs Lighthouse as its lock file has it, unless it is there: 176 MB that every clone would bring for one command
 * otherwise (docs/adr/0046-lighthouse-beside-the-packages.md). Throws where npm fails.
 */
export function installLighthouse(): void {
  const lock = join(INSTALLED, 'package-lock.json');
  const isSame = existsSync(lock) && readFileSync(lock).equals(readFileSync(join(PACKAGE, 'package-lock.json')));
  if (isSame && existsSync(PROGRAM)) return;
  process.stderr.write('Installing Lighthouse, once…\n');
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(PACKAGE, file), join(INSTALLED, file));
  copyFileSync(join(ROOT, '.npmrc'), join(INSTALLED, '.npmrc'));
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: INSTALLED, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** One run on a page, in the browser that is debugged at `port`; the whole report is written to `file`. */
export async function runLighthouse(url: string, form: Form, port: number, file: string): Promise<Report> {
  const output = ['--output=json', `--output-path=${file}`];
  const args = [PROGRAM, url, `--port=${port}`, ...output, '--quiet', '--no-enable-error-reporting', ...FORMS[form]];
  await promisify(execFile)(process.execPath, args, { timeout: TIMEOUT_MS });
  return JSON.parse(readFileSync(file, 'utf8'));
}
