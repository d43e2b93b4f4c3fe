import { type Config, readConfig } from '../../platform/config/config.ts';
import type { Environment } from '../../platform/config/plugin-settings.ts';
import { findSettingWarnings } from '../../platform/config/setting-warnings.ts';
import { loadPlugins, OWN, type Plugins } from './load-plugins.ts';

/** The settings, and the plug-ins that they configure. */
export type ServiceConfig = Config & { plugins: Plugins };

/** Reads the settings of the service and of its plug-ins. Throws ConfigError, which names all errors at once. */
export function readSettings(given: Environment, plugins: Plugins = OWN): ServiceConfig {
  const known = new Set<string>();
  const env = new Proxy(given, {
    get(target, name: string) {
      known.add(name);
      return target[name];
    },
  });
  const config = readConfig(env, plugins.all, plugins.faults);
  return { ...config, plugins, warnings: findSettingWarnings(given, config, known) };
}

/** `readSettings` with the plug-ins of PLUGINS. */
export async function loadSettings(env: Environment): Promise<ServiceConfig> {
  return readSettings(env, await loadPlugins(env));
}
