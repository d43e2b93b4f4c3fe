import { type LoadClient, quantile } from './continent/load.ts';
import type { Report } from './report.ts';
import { startChild } from './setup.ts';

export type Turns = { turns: number; turnMs: number };

export function turnsOf(isQuick: boolean): Turns {
  return isQuick ? { turns: 2, turnMs: 500 } : { turns: 3, turnMs: 3000 };
}

/** A service, keys for its connections, and the paths that they request. */
export type Target = {
  url: string;
  keys: readonly string[];
  paths: readonly string[];
  /** Processor time of the service. */
  cpuMs(): Promise<number>;
};

const CONNECTIONS = 8;
const WARM_UP_MS = 400;

/** `perSecond` answers, each for so much of the service's processor; `clientShare` is the client's part of a core. */
type Turn = { perSecond: number; cpuMicros: number; p99: number; clientShare: number };

/** Answers per second of the service, of those of a bare route with as many bytes: the median of alternating turns. */
export async function compareWithBare(
  target: Target & { client: LoadClient },
  { what, minRatio }: { what: string; minRatio: number | null },
  { turns, turnMs }: Turns,
  report: Report,
): Promise<void> {
  const { client, url, keys, paths } = target;
  // Each connection asks its own part of the paths, one after the other: the lengths come in the sequence of the paths.
  const rounds = Math.ceil(paths.length / CONNECTIONS);
  const { lengths } = await client.run({ url, keys, paths, connections: CONNECTIONS, rounds, wantsLengths: true });
  const bare = await startChild<{ url: string }>('bytes-child.ts', [], { first: lengths });
  const turnOf = (at: Pick<Target, 'url' | 'cpuMs'>, ms: number) => loadFor(client, { ...at, keys, paths }, ms);
  await turnOf(target, WARM_UP_MS);
  await turnOf(bare, WARM_UP_MS);
  const measured: { ratio: number; ours: Turn; limit: Turn }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const limit = await turnOf(bare, turnMs);
    const ours = await turnOf(target, turnMs);
    measured.push({ ratio: ours.perSecond / limit.perSecond, ours, limit });
  }
  await bare.close();
  measured.sort((a, b) => a.ratio - b.ratio);
  const { ratio, ours, limit } = measured[measured.length >> 1] as (typeof measured)[number];
  const kib = (lengths.reduce((sum, length) => sum + length, 0) / lengths.length / 1024).toFixed(0);
  const rates = `${Math.round(ours.perSecond)}/s of ${Math.round(limit.perSecond)}/s`;
  const cpu = `${Math.round(ours.cpuMicros)} of ${Math.round(limit.cpuMicros)} µs of processor`;
  report.add({
    what: `${what}, ${kib} KiB`,
    value: ratio,
    unit: 'of bare',
    limit: minRatio === null ? null : { min: minRatio },
    details: `${rates}, ${cpu}, p99 ${ours.p99.toFixed(1)} ms, client ${Math.round(ours.clientShare * 100)} % of a core`,
  });
}

async function loadFor(client: LoadClient, { url, keys, paths, cpuMs }: Target, ms: number): Promise<Turn> {
  const beforeMs = await cpuMs();
  const loaded = await client.run({ url, keys, paths, connections: CONNECTIONS, ms });
  const usedMs = (await cpuMs()) - beforeMs;
  const count = loaded.latenciesMs.length;
  return {
    perSecond: count / loaded.seconds,
    cpuMicros: (usedMs * 1000) / count,
    p99: quantile(loaded.latenciesMs, 0.99),
    clientShare: loaded.cpuMs / (loaded.seconds * 1000),
  };
}
