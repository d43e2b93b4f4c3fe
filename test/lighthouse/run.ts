import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../browser/browser.ts';
import { freePort } from '../given/command.ts';
import { openPages, type ShownPage } from './open-pages.ts';
import { FORMS, type Form, installLighthouse, runLighthouse } from './run-lighthouse.ts';
import { CATEGORIES, type Found, faultsOf, type Report, sumUp } from './scores.ts';

const USAGE = 'npm run lighthouse -- [PAGE…] [--runs 3] [--form mobile|desktop] [--out FOLDER]';

/**
 * `npm run lighthouse`: median scores (lowest in brackets) of the pages that newcomers and customers see first, on
 * phone and desktop. Arguments filter pages by name. Exit status 1 for a score below 95, 2 for an invalid argument.
 */
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '3' },
    form: { type: 'string' },
    out: { type: 'string', default: 'lighthouse-reports' },
  },
});
const forms = (Object.keys(FORMS) as Form[]).filter((form) => values.form === undefined || values.form === form);
const runs = Number(values.runs);
const folder = resolve(values.out);
if (forms.length === 0 || runs % 2 !== 1 || runs < 1) {
  process.stderr.write(`${USAGE}: the number of runs is odd.\n`);
  process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
installLighthouse();
mkdirSync(folder, { recursive: true });
const { pages, close } = await openPages();
try {
  const chosen = pages.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Error(`No page has such a name: ${pages.map(({ name }) => name).join(', ')}.`);
  await measureAll(chosen);
} finally {
  await close();
}

async function measureAll(chosen: readonly ShownPage[]): Promise<void> {
  const port = Number(await freePort());
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    say(`| page | form | ${CATEGORIES.join(' | ')} |`);
    say(`|---|---|${'---:|'.repeat(CATEGORIES.length)}`);
    for (const page of chosen) for (const form of forms) report(page, form, await measure(page, form, port));
  } finally {
    await browser.close();
  }
}

async function measure({ name, url }: ShownPage, form: Form, port: number): Promise<Found> {
  const reports: Report[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const file = join(folder, `${name.replaceAll('/', '-')}-${form}-${run}.json`);
    reports.push(await runLighthouse(url, form, port, file));
  }
  return sumUp(reports);
}

function report({ name, isUnlisted }: ShownPage, form: Form, found: Found): void {
  const points = CATEGORIES.map((category) => {
    const [score, lowest] = [found.scores[category], found.lowest[category]];
    return lowest < score ? `${score} (${lowest})` : `${score}`;
  });
  say(`| ${name} | ${form} | ${points.join(' | ')} |`);
  for (const fault of faultsOf(found, isUnlisted)) {
    process.stderr.write(`${name}, ${form}: ${fault}\n`);
    process.exitCode = 1;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
