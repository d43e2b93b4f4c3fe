import type { BenchService } from '../setup.ts';

/** The measured service, from an attacker's side. */
export type Target = {
  url: string;
  /** A sandbox key of the attacker's own account. */
  key: string;
  /** Aborts when the attack must end. */
  signal: AbortSignal;
};

/** Load of one client that must not affect another. The attack runs in its own process. */
export type Attack = {
  name: string;
  /** Settings for this attack; all others have their defaults. */
  env?: Readonly<Record<string, string>>;
  /** Path and query of the neighbor's `n`th request; defaults to a store search. */
  neighbor?(n: number): string;
  /** Prepares data once before measuring. `accountId` is the attacker's. */
  prepare?(service: BenchService, accountId: string): Promise<void>;
  /** Attacks until the signal aborts; resolves with counts by outcome. */
  run(target: Target): Promise<Record<string, number>>;
};

/**
 * Calls `once` from `connections` loops until the signal aborts and counts its results; a failed call counts as
 * `failed`.
 */
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
