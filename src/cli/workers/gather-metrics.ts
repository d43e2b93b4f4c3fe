import { mergeMetrics } from '../../lib/merge-metrics.ts';
import { createMetrics } from '../../lib/metrics.ts';
import type { WorkerSlot } from './worker-slot.ts';

/** A worker that does not answer is left out of a scrape after this. */
const SILENCE_MS = 2000;

export type MetricsGatherer = {
  /** Asks every worker, and resolves with the metrics of this process and of the workers that answer. */
  gather(): Promise<string>;
  /** Takes in the answer of a worker. */
  hear(number: number, id: number, text: string): void;
};

export function createMetricsGatherer(slots: () => readonly WorkerSlot[]): MetricsGatherer {
  const waiting = new Map<number, (number: number, text: string) => void>();
  const own = createMetrics({ worker: '0' });
  let lastId = 0;

  async function gather(): Promise<string> {
    lastId += 1;
    const id = lastId;
    const texts = new Map<number, string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = slots().filter((slot) => slot.send({ kind: 'read metrics', id }));
    waiting.set(id, (number, text) => {
      texts.set(number, text);
      if (texts.size === asked.length) resolve();
    });
    const silence = setTimeout(resolve, SILENCE_MS);
    await promise;
    clearTimeout(silence);
    waiting.delete(id);
    const inOrder = slots().flatMap(({ number }) => texts.get(number) ?? []);
    return mergeMetrics([await own.text(), ...inOrder, describeSlots(slots(), (number) => texts.has(number))]);
  }

  return { gather, hear: (number, id, text) => waiting.get(id)?.(number, text) };
}

/** What the first thread knows of each worker. */
export function describeSlots(slots: readonly WorkerSlot[], isUp: (number: number) => boolean): string {
  return [
    '# HELP doorstep_worker_up Whether the worker answered this scrape.',
    '# TYPE doorstep_worker_up gauge',
    ...slots.map(({ number }) => `doorstep_worker_up{worker="${number}"} ${isUp(number) ? 1 : 0}`),
    '# HELP doorstep_worker_starts_total How often the worker was started.',
    '# TYPE doorstep_worker_starts_total counter',
    ...slots.map(({ number, starts }) => `doorstep_worker_starts_total{worker="${number}"} ${starts}`),
  ].join('\n');
}
