import { CounterTable } from '../../src/platform/load/shared-counters.ts';

/** Counters of two workers of one node: the one under test and its peer. */
export function givenCounters(): { own: CounterTable; peer: CounterTable; forgetPeer(): void } {
  const [own, peer] = givenWorkerCounters(2) as [CounterTable, CounterTable];
  return { own, peer, forgetPeer: () => own.forget(2) };
}

export function givenWorkerCounters(count: number): CounterTable[] {
  const memory = CounterTable.allocate(count);
  return Array.from({ length: count }, (_, nth) => new CounterTable(memory, nth + 1, count));
}
