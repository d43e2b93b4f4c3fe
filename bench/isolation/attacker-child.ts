import { setPriority } from 'node:os';
import type { Attack } from './attack.ts';

/** Runs the attack of one file against a service until its parent says stop; answers with the counts. */
const [file = '', url = '', key = ''] = process.argv.slice(2);
const { attack } = (await import(`./${file}`)) as { attack: Attack };
/** An attacker works on another machine: here it takes the processor time that the service and its neighbor leave. */
setPriority(19);
const stop = new AbortController();
process.once('message', () => stop.abort());
process.once('disconnect', () => process.exit(0));
process.send?.({ started: true });
const counts = await attack.run({ url, key, signal: stop.signal });
process.send?.(counts, () => process.exit(0));
