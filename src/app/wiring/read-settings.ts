import { type Config, type Environment, readConfig } from '../../platform/config/config.ts';
import { findSettingWarnings } from '../../platform/config/setting-warnings.ts';
import { COURIER_COMPANIES } from '../adapters/couriers/companies.ts';

/** Reads the settings of the service and of every outside party. Throws ConfigError, which names all faults at once. */
export function readSettings(given: Environment): Config {
  const known = new Set<string>();
  const env = new Proxy(given, {
    get(target, name: string) {
      known.add(name);
      return target[name];
    },
  });
  const config = readConfig(env, COURIER_COMPANIES);
  return { ...config, warnings: findSettingWarnings(given, config, known) };
}
