import { useEffect, useState } from 'preact/hooks';
import { type Reading, useRead, useRun as useRuns } from '../use-read.ts';
import { type AnswerOf, pathOf, type QueryParameters, type ReadName, read } from './api.ts';

/** The time in epoch seconds, updated each second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The response of an operation. It is read again when the parameters change, on `reload`, and every `everyMs`. */
export function useLoad<Name extends ReadName>(
  name: Name,
  query: QueryParameters<Name>,
  everyMs?: number,
): Reading<AnswerOf<Name>> {
  const path = pathOf(name, query);
  return useRead(path, (signal) => read<Name>(path, signal), everyMs);
}

export type RunState = { isBusy: boolean; error: string; run(work: () => Promise<unknown>): void };

/** Runs one change at a time, then `done`, and keeps the sentence of an error until the next one. */
export function useRun(done?: () => void): RunState {
  const { busy, error, run } = useRuns();
  const runThenDone = async (work: () => Promise<unknown>) => {
    if (await run('change', work)) done?.();
  };
  return { isBusy: busy !== '', error, run: (work) => void runThenDone(work) };
}
