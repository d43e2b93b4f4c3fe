import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installApart } from '../apart-packages.ts';
import type { Report } from './scores.ts';

const PROGRAM = 'node_modules/lighthouse/cli/index.js';
/** Ends a hanging run; not an assertion of speed. */
const TIMEOUT_MS = 300_000;

/** How Lighthouse simulates the reader: a phone on slow 4G, or a desk on cable. The network of this machine does not count. */
export const FORMS = { mobile: [], desktop: ['--preset=desktop'] } as const;
export type Form = keyof typeof FORMS;

/** 176 MB that every clone would bring for one command otherwise. */
export const installLighthouse = () => installApart(join(import.meta.dirname, 'package'));

/** One run on a page, in the browser that is debugged at `port`; the whole report is written to `file`. */
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
