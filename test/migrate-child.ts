import { openPool } from '../src/platform/db/connect.ts';
import { migrate } from '../src/platform/db/migrate.ts';

/** A child process that applies a folder's migrations; prints a line for each wait, and the result. */
const [connectionString = '', schema = '', folder = ''] = process.argv.slice(2);
const pool = openPool({ connectionString, schema, max: 1 });
const onWait = (sentence: string) => void process.stdout.write(`waits: ${sentence}\n`);
const { applied } = await migrate(pool, schema, { folder, onWait });
process.stdout.write(`applied: ${applied.join(' ')}\n`);
await pool.end();
