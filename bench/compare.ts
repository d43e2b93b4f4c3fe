import { type LoadClient, quantile } from './continent/load.ts';
import type { Report } from './report.ts';
import { startChild } from './setup.ts';

export type Turns = { turns: number; turnMs: number };

export function turnsOf(isQuick: boolean): Turns {
  return isQuick ? { turns: 2, turnMs: 500 } : { turns: 3, turnMs: 3000 };
}

/** The service under test, one API key per connection, and the paths to request. */
export type Target = {
  url: string;
  keys: readonly string[];
  paths: readonly string[];
  /** Processor time of the service. */
  cpuMs(): Promise<number>;
};

const CONNECTIONS = 8;
const WARM_UP_MS = 400;

/** Answers per second, the service's processor time per answer, and the share of a core that the client used. */
type Turn = { perSecond: number; cpuMicros: number; p99: number; clientShare: number };

/** The service's rate as a share of a bare route's rate for the same bytes: the median of alternating rounds. */
export async function compareWithBare(
  target: Target & { client: LoadClient },
  { what, minRatio }: { what: string; minRatio: number | null },
  { turns, turnMs }: Turns,
  report: Report,
): Promise<void> {
  const { client, url, keys, paths } = target;
  // Each connection requests its own slice of the paths in sequence, so the bare route sees the lengths in the same
  // order.
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

/** Another server of the same answers. */
export type Rival = Pick<Target, 'url' | 'cpuMs'> & { name: string };

/** Short rounds, because the speed of a shared machine varies from second to second. */
const RIVAL_TURN_MS = 1000;
const RIVAL_WARM_UP_MS = 3000;

/** The service's processor time per answer as a share of a rival's: the median of alternating rounds. */
export async function compareProcessor(
  { client, url, keys, paths, cpuMs }: Target & { client: LoadClient },
  rival: Rival,
  what: string,
  { turns, turnMs }: Turns,
  report: Report,
): Promise<void> {
  const turnOf = (at: Pick<Target, 'url' | 'cpuMs'>, ms: number) => loadFor(client, { ...at, keys, paths }, ms);
  await turnOf({ url, cpuMs }, RIVAL_WARM_UP_MS);
  await turnOf(rival, RIVAL_WARM_UP_MS);
  const [ours, theirs, shares]: [Turn[], Turn[], number[]] = [[], [], []];
  for (let leftMs = turns * turnMs; leftMs > 0; leftMs -= RIVAL_TURN_MS) {
    const their = await turnOf(rival, RIVAL_TURN_MS);
    const our = await turnOf({ url, cpuMs }, RIVAL_TURN_MS);
    theirs.push(their);
    ours.push(our);
    shares.push(our.cpuMicros / their.cpuMicros);
  }
  const both = (digits: number, read: (turn: Turn) => number) =>
    [ours, theirs].map((list) => quantile(list.map(read), 0.5).toFixed(digits)).join(' and ');
  const cpu = both(0, ({ cpuMicros }) => cpuMicros);
  const p99 = both(1, (turn) => turn.p99);
  const rates = both(0, ({ perSecond }) => perSecond);
  report.add({
    what: `${what}, beside ${rival.name}`,
    value: quantile(shares, 0.5),
    unit: 'of its processor',
    limit: null,
    details: `${cpu} µs of processor, p99 ${p99} ms, ${rates} a second`,
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
