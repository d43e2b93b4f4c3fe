import { readConfig } from '../../config.ts';
import { createLog } from '../../lib/log.ts';
import { migrateSchema } from '../../wiring/open-connections.ts';
import { snapshotFolder } from '../../wiring/open-stores.ts';
import type { Role } from '../../wiring/service-options.ts';
import { interrupted, listenForInterruption } from '../interruption.ts';
import { readConfigToListen } from '../listen-at.ts';
import { failOnStrayErrors, onDatabase } from '../on-database.ts';
import { SCHEMA } from '../with-database.ts';
import { WorkerGroup } from './worker-group.ts';

export type WorkersRun = {
  role: Role;
  workers: number;
  /** Runs when every worker answers; `url` is undefined where they do not listen. */
  announce(url: string | undefined): void;
};

/**
 * Runs the service as several threads that share a port, until a signal (docs/operating.md#workers). This thread opens
 * the database, migrates the schema, and restarts workers that end. Ends as `runService` does.
 */
export async function runWorkers({ role, workers, announce }: WorkersRun): Promise<void> {
  const config = role === 'worker' ? readConfig(process.env) : await readConfigToListen(process.env);
  const log = createLog(config.logLevel);
  const interruption = listenForInterruption();
  failOnStrayErrors(interruption, (error) => log.fatal({ err: error }, 'uncaught error: stopping'));
  await onDatabase({ config, log, interruption }, async (connectionString, resources) => {
    await migrateSchema({ connectionString, schema: SCHEMA, log });
    if (interruption.signal.aborted) return;
    const onFailure = (error: Error) => interruption.stop(error);
    const snapshots = snapshotFolder(config, SCHEMA);
    const group = new WorkerGroup({
      count: workers,
      role,
      connectionString,
      log,
      snapshotFolder: snapshots,
      onFailure,
    });
    resources.defer(() => group.stop());
    const at = await Promise.race([group.listening, interrupted(interruption)]);
    if (!at) return;
    log.info({ url: at.url, metricsUrl: at.metricsUrl, role, workers }, 'ready');
    announce(at.url);
    await interrupted(interruption);
    log.info('stopping');
  });
}
