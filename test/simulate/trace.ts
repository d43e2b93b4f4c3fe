import type { Operation } from './scheduler.ts';

export type TraceLine = {
  step: number;
  nowMs: number;
  id: number;
  operation: Pick<Operation, 'owner' | 'party' | 'what'>;
  fault: string | undefined;
};

/** A run's history, as a hash and its last lines. */
export type Trace = {
  add(line: TraceLine): void;
  note(text: string): void;
  /** Records the call site of a new operation, if the trace will be read. */
  submitted(id: number): void;
  /** A hash of the whole trace, equal for two runs of one seed. */
  hash(): string;
  /** The last lines, oldest first, each with its call site. */
  last(): string[];
};

const KEPT = 30;
const FRAMES = 14;

export type TraceOptions = {
  /** Records call sites. Costs a fifth of the processor time, so only where the trace is read. */
  hasSites: boolean;
  print?: (line: string) => void;
};

export function createTrace({ hasSites, print }: TraceOptions): Trace {
  let hash = 0x811c9dc5;
  let second = 0x9dc5811c;
  const lines: string[] = [];
  const sites = new Map<number, string>();
  const keep = (text: string, site?: string): void => {
    for (let at = 0; at < text.length; at += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
      second = Math.imul(second ^ text.charCodeAt(at), 0x85ebca6b) + 1;
    }
    const line = site ? `${text}\n${site}` : text;
    lines.push(line);
    if (lines.length > KEPT) lines.shift();
    print?.(line);
  };
  return {
    add({ step, nowMs, id, operation: { owner, party, what }, fault }) {
      keep(`${step} ${nowMs} ${owner.name} ${party} #${id} ${what}${fault ? ` [${fault}]` : ''}`, sites.get(id));
      sites.delete(id);
    },
    note: (text) => keep(text),
    submitted(id) {
      if (hasSites) sites.set(id, callSite());
    },
    hash: () => (hash >>> 0).toString(16).padStart(8, '0') + (second >>> 0).toString(16).padStart(8, '0'),
    last: () => [...lines],
  };
}

/** The service's frames in the current stack, including asynchronous callers. */
function callSite(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = limit;
  return stack
    .split('\n')
    .filter((frame) => /\/src\//.test(frame) && !/node_modules/.test(frame))
    .slice(0, FRAMES)
    .map((frame) => frame.replace(/file:\/\/.*\/src\//, 'src/').replace(/^ +/, '      '))
    .join('\n');
}
