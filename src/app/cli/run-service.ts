import { BUILD_COMMIT as commit, VERSION as version } from '../../platform/lib/build-info.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';
import { loadSettings, type ServiceConfig } from '../wiring/read-settings.ts';
import { type Service, startService } from '../wiring/service.ts';
import type { Role, ServiceOptions } from '../wiring/service-options.ts';
import { listenForInterruption, waitForInterruption } from './interruption.ts';
import { listen, listenPrivately, readConfigToListen } from './listen-at.ts';
import { failOnStrayErrors, onDatabase } from './on-database.ts';

export type ServiceRun<T> = {
  role: Role;
  streets?: ServiceOptions['streets'];
  /** Adds settings that the environment lacks. */
  complete?(config: ServiceConfig): Promise<ServiceConfig>;
  /** Runs before the service listens. */
  prepare(service: Service, config: ServiceConfig): Promise<T>;
  /** Called once the service answers; `url` is undefined if it does not listen. */
  announce(url: string | undefined, prepared: T): void;
};

/**
 * Runs the service until a signal (SIGTERM drains first), then refuses new requests, finishes those in flight, and
 * closes jobs, pool and database, in this order. Rejects with a sentence if it cannot start or listen, and with an
 * uncaught error.
 */
export async function runService<T>({ role, streets = [], complete, prepare, announce }: ServiceRun<T>): Promise<void> {
  const settings = role === 'worker' ? await loadSettings(process.env) : await readConfigToListen(process.env);
  const config = (await complete?.(settings)) ?? settings;
  const log = createLog(config.logLevel);
  const interruption = listenForInterruption();
  failOnStrayErrors(interruption, (error) => log.fatal({ err: error }, 'uncaught error: stopping'));
  await onDatabase({ config, log, interruption }, async (connectionString, resources) => {
    const onNewerSchema = (error: Error) => interruption.stop(error);
    const options = { config, connectionString, log, clock: systemClock, role, streets, onNewerSchema };
    const service = await startService(options);
    resources.defer(() => service.close());
    if (interruption.signal.aborted) return;
    const prepared = await prepare(service, config);
    if (interruption.signal.aborted) return;
    const url = await listen(service, config, role);
    const metricsUrl = await listenPrivately(service, config);
    log.info({ url, metricsUrl, role, version, commit }, 'ready');
    if (role !== 'worker') interruption.drainFirst(config.drainSeconds, () => service.drain());
    announce(url, prepared);
    await waitForInterruption(interruption);
    log.info('stopping');
  });
}
