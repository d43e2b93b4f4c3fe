import { useEffect, useState } from 'preact/hooks';
import type { StoreSettings } from '../../src/surfaces/store-console/store.route.ts';
import { useRun } from '../use-read.ts';
import type { ConsoleContext } from './console-context.ts';

const POLL_MS = 60_000;

export type StoreDesk = {
  /** Undefined until the store has been read. */
  settings: StoreSettings | undefined;
  busy: string;
  /** Why the last change with one of these names failed; empty if it succeeded. */
  errorOf(...names: string[]): string;
  /**
   * Changes the store by one request and shows its response; resolves to true on success. A body that depends on the
   * settings is made from the service's current ones, because another tablet may have changed them.
   */
  change(name: string, method: 'POST' | 'PUT', path: string, body?: Body): Promise<boolean>;
};

type Body = object | ((settings: StoreSettings) => object);

/** The store's settings (open, pause, hours). Polled and read with each view, because another tablet may change them. */
export function useStore({ api }: ConsoleContext, view: string): StoreDesk {
  const [settings, setSettings] = useState<StoreSettings | undefined>();
  const { busy, errorOf, run } = useRun();

  useEffect(() => {
    // A failed read is ignored: the connection bar reports it, and the next interval retries.
    const read = () => void api.get<StoreSettings>('/store').then(setSettings, () => {});
    read();
    const timer = window.setInterval(read, POLL_MS);
    return () => window.clearInterval(timer);
  }, [view]);

  const change = (name: string, method: 'POST' | 'PUT', path: string, body?: Body) =>
    run(name, async () => {
      const sent = typeof body === 'function' ? body(await api.get<StoreSettings>('/store')) : body;
      setSettings(await api.send<StoreSettings>(method, path, sent));
    });

  return { settings, busy, errorOf, change };
}
