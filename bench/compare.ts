import { type LoadClient, quantile } from './continent/load.ts';
import type { Report } from './report.ts';
import { startChild } from './setup.ts';

export type Turns = { turns: number; turnMs: number };

export function turnsOf(isQuick: boolean): Turns {
  return isQuick ? { turns: 2, turnMs: 500 } : { turns: 5, turnMs: 2000 };
}

/** The service under test, its load client, one API key per connection, and the paths to request. */
export type Target = { client: LoadClient; url: string; keys: readonly string[]; paths: readonly string[] };

/** Another server of the same requests. */
export type Rival = { name: string; url: string };

const CONNECTIONS = 8;
const WARM_UP_MS = 2000;

/** Answers per second alongside a rival's, in alternating turns: the turn with the median ratio counts. */
export async function compareWith(
  { client, keys, paths, ...target }: Target,
  rival: Rival,
  what: string,
  { turns, turnMs }: Turns,
  report: Report,
): Promise<void> {
  const run = async (url: string, ms: number) => {
    const { latenciesMs, seconds, bodyBytes } = await client.run({ url, keys, paths, connections: CONNECTIONS, ms });
    const count = latenciesMs.length;
    return { perSecond: count / seconds, p99: quantile(latenciesMs, 0.99), kib: bodyBytes / count / 1024 };
  };
  const measured: { ours: Turn; theirs: Turn }[] = [];
  for (const url of [target.url, rival.url]) await run(url, Math.min(WARM_UP_MS, turnMs));
  for (let turn = 0; turn < turns; turn += 1) {
    measured.push({ theirs: await run(rival.url, turnMs), ours: await run(target.url, turnMs) });
  }
  measured.sort((a, b) => a.ours.perSecond / a.theirs.perSecond - b.ours.perSecond / b.theirs.perSecond);
  const { ours, theirs } = measured[measured.length >> 1] as (typeof measured)[number];
  report.add({
    what,
    value: ours.perSecond,
    unit: 'a second',
    peer: { name: rival.name, value: theirs.perSecond },
    details: `p99 ${ours.p99.toFixed(1)} and ${theirs.p99.toFixed(1)} ms, ${ours.kib.toFixed(0)} and ${theirs.kib.toFixed(0)} KiB`,
  });
}

type Turn = { perSecond: number; p99: number; kib: number };

/** Compares with a bare route that sends the same number of bytes. */
export async function compareWithBare(target: Target, what: string, turns: Turns, report: Report): Promise<void> {
  const { client, keys, paths } = target;
  // Each connection requests its own slice of the paths in order, so the bare route sees the lengths in the same
  // order.
  const rounds = Math.ceil(paths.length / CONNECTIONS);
  const { lengths } = await client.run({
    url: target.url,
    keys,
    paths,
    connections: CONNECTIONS,
    rounds,
    wantsLengths: true,
  });
  const { url, close } = await startChild<{ url: string }>('bytes-child.ts', [], { first: lengths });
  await compareWith(target, { name: 'bare route', url }, what, turns, report);
  await close();
}
