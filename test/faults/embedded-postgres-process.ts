// Opens the embedded database of its first argument, reports that in a JSON line on standard output, and closes it at
// the end of standard input. The second argument is the checkout to run.
import { once } from 'node:events';
import { join } from 'node:path';

const [dataDir = '', checkout = ''] = process.argv.slice(2);
const module = await import(join(checkout, 'packages/embedded-database/main.ts'));
const quiet = { info() {}, warn() {}, error() {} };
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const startedAt = performance.now();
  const database = await module.openEmbeddedPostgres({ dataDir, name: 'doorstep', log: quiet });
  say({ connectionString: database.connectionString, openMs: performance.now() - startedAt });
  process.stdin.resume();
  await once(process.stdin, 'end');
  await database.close();
} catch (error) {
  say({ error: { name: (error as Error).name, message: (error as Error).message } });
}
process.exitCode = 0;
