import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readGrowth, type SizeFigures, writeGrowth } from './growth/figures.ts';
import { measureOrders } from './growth/measure-orders.ts';
import { showGrowth } from './growth/show-growth.ts';

/**
 * What growth costs: searches, memory and start at several numbers of stores, orders at several numbers of clients.
 *
 *   node bench/growth.ts [--sizes 10000,100000,500000,1500000] [--clients 1,8,32,128] [--again] [--import]
 *                        [--data FOLDER] [--turn SECONDS]
 *
 * The figures are kept in docs/growth.json; a size or a number of clients that the file has is measured again only with
 * `--again`. Tables and pictures of docs/performance.md are written from the file after each size, so that a run that was
 * interrupted goes on where it ended. `--import` only fills the databases of the sizes, which `--data` keeps: the
 * measurements of a later run then take seconds. Each size runs in a process of its own.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,500000,1500000' },
    clients: { type: 'string', default: '1,8,32,128' },
    again: { type: 'boolean', default: false },
    import: { type: 'boolean', default: false },
    data: { type: 'string' },
    turn: { type: 'string', default: '2' },
  },
});
const turnS = Number(values.turn);
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node.js ${process.versions.node}`;
const numbersOf = (list: string) => list.split(',').filter(Boolean).map(Number);
const folder = values.data ?? mkdtempSync(join(tmpdir(), 'doorstep-growth-'));

for (const stores of numbersOf(values.sizes)) {
  const growth = readGrowth(machine);
  const others = growth.sizes.filter((size) => size.stores !== stores);
  if (!values.import && !values.again && others.length < growth.sizes.length) continue;
  say(`${stores.toLocaleString('en-US')} stores`);
  const figures = await inChild(stores);
  if (values.import) continue;
  say(JSON.stringify(figures));
  writeGrowth({ ...growth, sizes: [...others, figures] });
  showGrowth(readGrowth(machine));
}
if (!values.import) await addOrders();
if (values.data === undefined) rmSync(folder, { recursive: true, force: true });

async function addOrders(): Promise<void> {
  const growth = readGrowth(machine);
  const known = growth.orders.map(({ clients }) => clients);
  const missing = numbersOf(values.clients).filter((clients) => values.again || !known.includes(clients));
  if (missing.length === 0) return;
  const measured = await measureOrders(missing, turnS);
  for (const figures of measured) say(JSON.stringify(figures));
  const others = growth.orders.filter(({ clients }) => !missing.includes(clients));
  writeGrowth({ ...growth, orders: [...others, ...measured] });
  showGrowth(readGrowth(machine));
}

async function inChild(stores: number): Promise<SizeFigures> {
  const args = [String(stores), String(turnS * 1000), join(folder, String(stores))];
  const child = fork(join(import.meta.dirname, 'growth/size-child.ts'), values.import ? [...args, 'import'] : args);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The measurement of ${stores} stores ended with ${code}.`);
  });
  failed.catch(() => {});
  const [figures] = (await Promise.race([once(child, 'message'), failed])) as [SizeFigures];
  if (child.exitCode === null) await once(child, 'exit');
  return figures;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
