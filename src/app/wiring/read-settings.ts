import { type Config, type Environment, readConfig } from '../../platform/config/config.ts';
import { COURIER_COMPANIES } from '../adapters/couriers/companies.ts';

/** Reads the settings of the service and of every outside party. Throws ConfigError, which names all faults at once. */
export function readSettings(env: Environment): Config {
  return readConfig(env, COURIER_COMPANIES);
}
