import type { BenchService } from '../setup.ts';

/** A service under measurement, as an attacker sees it. */
export type Target = {
  url: string;
  /** A sandbox key of the attacker's own account. */
  key: string;
  /** Ends the attack. */
  signal: AbortSignal;
};

/** A load of one client that must not be felt by another. The attack runs in a process of its own. */
export type Attack = {
  name: string;
  /** Settings of the service that the attack is measured with; everything else has its default. */
  env?: Readonly<Record<string, string>>;
  /** What the neighbor asks in its `n`th request, as path and query; a search for stores where this is left out. */
  neighbor?(n: number): string;
  /** Prepares data once, before the service is measured. `accountId` is the attacker's. */
  prepare?(service: BenchService, accountId: string): Promise<void>;
  /** Attacks until the signal; resolves with what was answered, as words to counts. */
  run(target: Target): Promise<Record<string, number>>;
};

/** Calls `once` from `connections` loops until the signal and counts the words that it returns; a failed call is `failed`. */
export async function repeat(
  { signal }: Target,
  connections: number,
  once: (connection: number) => Promise<string | number>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const count = (word: string | number) => {
    counts[word] = (counts[word] ?? 0) + 1;
  };
  const loop = async (connection: number) => {
    while (!signal.aborted) count(await once(connection).catch(() => 'failed'));
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => loop(connection)));
  return counts;
}
