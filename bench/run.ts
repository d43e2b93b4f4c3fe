import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Lists the benches, and runs them one after the other, each in its own process; each writes its table of
 * docs/benchmarks.md. Fails when one misses a limit.
 *
 *   npm run bench [-- NAME…] [--quick] [options of the bench that is named]
 *
 * `--quick` checks in a few minutes that a bench works, and writes nothing.
 */
const BENCHES: Readonly<Record<string, string>> = {
  search: 'store search beside Lucene and PostGIS, compared with a scan; --stores 1500000 is a continent',
  'products-and-carts': 'product search beside PostgreSQL, compared with a scan; carts; searches after a start',
  relevance: 'labeled queries; --misses lists those without their right answer',
  inventory: 'menus with quotes beside a bare route',
  orders: 'orders beside one-row commits, with PostgreSQL far away, and while old ones are forgotten',
  import: 'stores and products, new and unchanged, beside COPY',
  start: 'seconds until a node answers searches, beside reading the rows',
  webhooks: 'calls to endpoints beside bare calls, also while others hang',
  kitchen: 'orders ready when promised, with and without room and learned minutes, and searches while orders take room',
  printers: 'a thousand printers that poll, beside the shortest answer',
  board: "the console's board with 300 new orders: a second and one more order beside rendering all",
  ucp: 'an agent that shops at the demo: searches, carts, checkouts and a recipe',
  journeys: 'taps, seconds, bytes and Web Vitals of one order for customer, store, operator and driver',
  isolation: "a neighbor's searches during each attack, beside quiet ones",
};

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const names = firstOption === -1 ? args : args.slice(0, firstOption);
const options = firstOption === -1 ? [] : args.slice(firstOption);
const unknown = names.filter((name) => !(name in BENCHES));
for (const [name, what] of Object.entries(BENCHES)) process.stdout.write(`${name.padEnd(20)}${what}\n`);
if (unknown.length > 0 || options.includes('--help')) {
  if (unknown.length > 0) process.stderr.write(`\nNo such bench: ${unknown.join(', ')}\n`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const failed = (names.length > 0 ? names : Object.keys(BENCHES)).filter((name) => {
  process.stdout.write(`\n== ${name}\n`);
  const run = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...options], { stdio: 'inherit' });
  return run.status !== 0;
});
if (failed.length > 0) {
  process.stdout.write(`\nFell short or failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
