import { readSettings } from '../../src/app/wiring/read-settings.ts';
import type { Config } from '../../src/platform/config/config.ts';

/** Names of all settings that the service reads from the environment. */
export function settingNames(): ReadonlySet<string> {
  const named = new Set<string>();
  const environment = new Proxy({} as Record<string, string | undefined>, {
    get(_, name) {
      named.add(String(name));
      return undefined;
    },
  });
  readSettings(environment);
  return named;
}

/** The configuration for these settings. Throws if a name is unknown or a value is refused. */
export function configOf(env: Readonly<Record<string, string>>): Config {
  const names = settingNames();
  const unknown = Object.keys(env).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`No settings: ${unknown.join(', ')}`);
  return readSettings(env);
}

/** Parses NAME=VALUE lines; `#NAME=` is an optional setting. */
export function envFileOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}
