import { registerHooks } from 'node:module';
import { FAULTS } from './planted-faults.ts';

/** Changes one line of the service while it is loaded: the fault whose number PLANTED_FAULT names. */
const fault = FAULTS[Number(process.env.PLANTED_FAULT)];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!fault || !url.endsWith(`/src/${fault.file}`)) return loaded;
    const source = String(loaded.source);
    if (!source.includes(fault.line)) throw new Error(`${fault.file} has no line ${fault.line}`);
    return { ...loaded, source: source.replace(fault.line, fault.becomes) };
  },
});
