import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs the named soaks, or all, sequentially: `npm run soak -- NAME… --rounds N`. Each is a program of this folder and
 * gets the remaining arguments. Exit status 1 if a promise was broken.
 */
const FOLDER = import.meta.dirname;
const soaks = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && !file.endsWith('-child.ts'))
  .map((file) => file.slice(0, -'.ts'.length));
const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith('-'));
const options = firstOption < 0 ? [] : given.slice(firstOption);
const named = firstOption < 0 ? given : given.slice(0, firstOption);
const unknown = named.filter((name) => !soaks.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no soak ${unknown.join(', ')}: ${soaks.join(', ')}.\n`);
  process.exit(2);
}
for (const name of named.length > 0 ? named : soaks) {
  process.stdout.write(`\n== ${name} ${options.join(' ')}\n`);
  const child = spawn(process.execPath, [join(FOLDER, `${name}.ts`), ...options], { stdio: 'inherit' });
  const stop = () => child.kill('SIGINT');
  process.on('SIGINT', stop);
  const [status] = await once(child, 'exit');
  process.off('SIGINT', stop);
  if (status !== 0) process.exitCode = 1;
}
