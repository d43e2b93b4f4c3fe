import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Growth, IMAGES, PAGE, SEARCHES } from './figures.ts';
import { type Plot, plotLines } from './plot-lines.ts';

const BEGIN = '<!-- Written by bench/growth.ts: begin -->';
const END = '<!-- Written by bench/growth.ts: end -->';

/** Draws the pictures and writes the tables into docs/performance.md, between the two marks. */
export function showGrowth(growth: Growth): void {
  mkdirSync(IMAGES, { recursive: true });
  for (const [name, plot] of Object.entries(plotsOf(growth))) {
    if (plot.lines.some(({ points }) => points.length > 0)) writeFileSync(join(IMAGES, `${name}.svg`), plotLines(plot));
  }
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`docs/performance.md lacks "${BEGIN}" or "${END}".`);
  writeFileSync(PAGE, `${page.slice(0, from + BEGIN.length)}\n${tablesOf(growth)}\n${page.slice(to)}`);
}

function plotsOf({ sizes, orders }: Growth): Record<string, Plot> {
  const xLabel = 'stores of the node';
  return {
    'growth-searches': {
      ...{ title: 'Cost of a search', xLabel, yLabel: 'microseconds of processor' },
      lines: SEARCHES.map((name) => ({
        name,
        points: sizes.map(({ stores, searches }) => [stores, searches[name].cpuMicros] as const),
      })),
    },
    'growth-memory': {
      ...{ title: 'Memory of a node', xLabel, yLabel: 'MB resident' },
      lines: [
        { name: 'started from PostgreSQL', points: sizes.map(({ stores, startedMb }) => [stores, startedMb] as const) },
        {
          name: 'started from its snapshot, after the searches',
          points: sizes.map(({ stores, loadedMb }) => [stores, loadedMb] as const),
        },
      ],
    },
    'growth-start': {
      ...{ title: 'Start of a node', xLabel, yLabel: 'seconds until a search is answered' },
      lines: [
        { name: 'from PostgreSQL', points: sizes.map(({ stores, readyS }) => [stores, readyS] as const) },
        {
          name: 'from its snapshot',
          points: sizes.map(({ stores, readyFromSnapshotS }) => [stores, readyFromSnapshotS] as const),
        },
      ],
    },
    'growth-orders': {
      ...{ title: 'Placed and charged orders', xLabel: 'clients', yLabel: 'a second' },
      lines: [{ name: 'orders', points: orders.map(({ clients, perSecond }) => [clients, perSecond] as const) }],
    },
  };
}

function tablesOf({ machine, sizes, orders }: Growth): string {
  const searches = SEARCHES.map((name) => `${name}, µs (a second)`).join(' | ');
  const sizeRows = sizes.map((figures) => {
    const costs = SEARCHES.map((name) => {
      const { cpuMicros, perSecond } = figures.searches[name];
      return `${Math.round(cpuMicros)} (${whole(perSecond)})`;
    });
    const memory = `${whole(figures.startedMb)} | ${whole(figures.loadedMb)}`;
    const start = `${figures.readyS.toFixed(1)} | ${figures.readyFromSnapshotS.toFixed(1)} (${whole(figures.snapshotMb)} MB)`;
    return `| ${whole(figures.stores)} | ${costs.join(' | ')} | ${memory} | ${start} |`;
  });
  const orderRows = orders.map(
    ({ clients, perSecond, commitsPerSecond, cpuMicros, p50Ms, p99Ms }) =>
      `| ${clients} | ${whole(perSecond)} | ${(perSecond / commitsPerSecond).toFixed(3)} of ${whole(commitsPerSecond)} | ${whole(cpuMicros)} | ${p50Ms} | ${p99Ms} |`,
  );
  return [
    `Measured on ${machine}. Microseconds are the service's own processor for each answer, 8 connections.`,
    '',
    `| stores | ${searches} | MB, from PostgreSQL | MB, from the snapshot, after the searches | ready from PostgreSQL, s | from the snapshot, s |`,
    `|---|${'---|'.repeat(SEARCHES.length + 4)}`,
    ...sizeRows,
    '',
    '| clients | orders a second | of one-row commits | µs of the service each | p50, ms | p99, ms |',
    '|---|---|---|---|---|---|',
    ...orderRows,
  ].join('\n');
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
