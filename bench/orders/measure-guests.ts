import { quantile } from '../continent/load.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, startBenchService } from '../setup.ts';
import type { OrderClient } from './client.ts';
import { DEFAULTS, guestsOf } from './order-shop.ts';

const CLIENTS = [
  { clients: 1, min: null },
  { clients: 8, min: 2000 },
  { clients: 32, min: null },
] as const;

/**
 * A guest saves a card, then places a charged order, with default settings. The run ends before the simulation's first
 * step, 15 seconds after the first order.
 */
export async function measureGuests(
  database: BenchDatabase,
  client: OrderClient,
  keys: readonly string[],
  turnMs: number,
  report: Report,
): Promise<void> {
  const service = await startBenchService(database, DEFAULTS);
  const guests = { url: service.url, ...(await guestsOf(service.url, keys)) };
  await client.place({ ...guests, connections: 32, ms: turnMs });
  for (const { clients, min } of CLIENTS) {
    const beforeMs = await service.cpuMs();
    const { latenciesMs, seconds, cpuMs } = await client.place({ ...guests, connections: clients, ms: turnMs });
    const usedMs = (await service.cpuMs()) - beforeMs;
    const count = latenciesMs.length;
    const [p50, p99] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
    const micros = (ms: number) => `${Math.round((ms * 1000) / count)} µs`;
    report.add({
      what: `guest orders, card and all, ${clients} clients`,
      value: count / seconds,
      unit: 'a second',
      limit: min === null ? null : { min },
      details: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, processor: service ${micros(usedMs)}, client ${micros(cpuMs)}`,
    });
  }
  await service.close();
}
