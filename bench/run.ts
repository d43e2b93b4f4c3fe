import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Lists the benches, and runs them one after the other, each in its own process; fails when one misses its limit.
 *
 *   npm run bench [-- NAME…] [--quick] [options of the bench that is named]
 */
const BENCHES: Readonly<Record<string, string>> = {
  search: 'store search over HTTP beside a bare route, and compared with a scan; --stores 1500000 is a continent',
  'products-and-carts': 'product and cart search on thousands of menus, compared with a scan; labeled queries',
  inventory: 'menus with quotes and the levels of a market beside a bare route',
  orders: 'orders beside one-row commits, with PostgreSQL far away, and live orders with their mails and calls',
  import: 'stores and products per second, new and unchanged, and the memory of an import',
  start: 'seconds until a node answers searches, from PostgreSQL and from a snapshot, and its memory',
  isolation: 'what a neighbor notices of each attack',
  webhooks: 'webhook calls per second, also beside endpoints that hang',
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
