import { setPriority } from 'node:os';
import type { Attack } from './attack.ts';

/** Runs one attack file against a service until the parent stops it; replies with the counts. */
const [file = '', url = '', key = ''] = process.argv.slice(2);
const { attack } = (await import(`./${file}`)) as { attack: Attack };
/** Lowest priority: a real attacker has its own machine, so here it uses only idle processor time. */
setPriority(19);
const stop = new AbortController();
process.once('message', () => stop.abort());
process.once('disconnect', () => process.exit(0));
process.send?.({ started: true });
const counts = await attack.run({ url, key, signal: stop.signal });
process.send?.(counts, () => process.exit(0));
