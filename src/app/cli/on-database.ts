import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { openDatabase } from '../../platform/db/open-database.ts';
import { Interrupted } from './failure.ts';
import type { Interruption } from './interruption.ts';

type CommandDeps = { config: Config; log: Logger; interruption: Interruption };

/**
 * Opens the database, runs `serve`, then closes `resources` and the database. Rejects with the interruption's reason
 * unless it is a signal.
 */
export async function onDatabase(
  { config, log, interruption }: CommandDeps,
  serve: (connectionString: string, resources: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  {
    await using resources = new AsyncDisposableStack();
    const database = await openDatabase(config, log).catch((error: unknown) => {
      // Ctrl-C also ends programs that create a database. Then the signal is the reason.
      if (!interruption.signal.aborted) throw error;
    });
    if (database) resources.defer(() => database.close());
    if (database && !interruption.signal.aborted) await serve(database.connectionString, resources);
  }
  // A signal is the regular end of a service; other reasons are failures.
  const { reason } = interruption.signal;
  if (!(reason instanceof Interrupted)) throw reason;
}

/** An uncaught exception or unhandled rejection shuts down gracefully, as a signal does, and fails the command. */
export function failOnStrayErrors(interruption: Interruption, report: (error: unknown) => void): void {
  const fail = (error: unknown) => {
    report(error);
    interruption.stop(error);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}
