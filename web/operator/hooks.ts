import { useCallback, useEffect, useState } from 'preact/hooks';
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

export type LoadState<T> = { data: T | undefined; error: string | undefined; isLoading: boolean; reload(): void };

/** The answer of an operation. It is read again when the parameters change, on `reload`, and `everyMs` after each answer. */
export function useLoad<Name extends ReadName>(
  name: Name,
  query: QueryParameters<Name>,
  everyMs?: number,
): LoadState<AnswerOf<Name>> {
  const path = pathOf(name, query);
  const [state, setState] = useState<{ path: string; data?: AnswerOf<Name>; error?: string }>({ path });
  const [round, setRound] = useState(0);
  const [isLoading, setLoading] = useState(true);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    setLoading(true);
    read<Name>(path, abort.signal).then(
      (data) => {
        setState({ path, data });
        setLoading(false);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const words = error instanceof Error ? error.message : String(error);
        setState((before) => (before.path === path ? { ...before, error: words } : { path, error: words }));
        setLoading(false);
      },
    );
    return () => abort.abort();
  }, [path, round]);
  useEffect(() => {
    if (everyMs === undefined || isLoading) return;
    const timer = setTimeout(reload, everyMs);
    return () => clearTimeout(timer);
  }, [everyMs, isLoading, reload]);
  const isCurrent = state.path === path;
  return { data: isCurrent ? state.data : undefined, error: isCurrent ? state.error : undefined, isLoading, reload };
}

export type RunState = { isBusy: boolean; error: string | undefined; run(work: () => Promise<unknown>): void };

/** Runs one change at a time, then `done`, and keeps the sentence of a refusal until the next one. */
export function useRun(done?: () => void): RunState {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = (work: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    work()
      .then(done)
      .catch((fault: unknown) => setError(fault instanceof Error ? fault.message : String(fault)))
      .finally(() => setBusy(false));
  };
  return { isBusy, error, run };
}
