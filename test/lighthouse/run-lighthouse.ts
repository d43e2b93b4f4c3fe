import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installApart } from '../apart-packages.ts';
import type { Report } from './scores.ts';

const PROGRAM = 'node_modules/lighthouse/cli/index.js';
/** Ends a hanging run; not an assertion of speed. */
const TIMEOUT_MS = 300_000;

/**
 * Lighthouse's simulated devices: a phone on slow 4G, a desktop on cable. The machine's own network does not matter.
 */
export const FORMS = { mobile: [], desktop: ['--preset=desktop'] } as const;
export type Form = keyof typeof FORMS;

/** Installed on demand: 176 MB that every clone would otherwise download for one command. */
export const installLighthouse = () => installApart(join(import.meta.dirname, './package'));

/** Runs Lighthouse on a page, in the browser with debugging port `port`, and writes the full report to `file`. */
export async function runLighthouse(url: string, form: Form, port: number, file: string): Promise<Report> {
  const output = ['--output=json', `--output-path=${file}`];
  const args = [
    join(installLighthouse(), PROGRAM),
    url,
    `--port=${port}`,
    ...output,
    '--quiet',
    '--no-enable-error-reporting',
    ...FORMS[form],
  ];
  await promisify(execFile)(process.execPath, args, { timeout: TIMEOUT_MS });
  return JSON.parse(readFileSync(file, 'utf8'));
}
