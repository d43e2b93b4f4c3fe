import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { openDatabase } from '../../platform/db/open-database.ts';
import { Interrupted } from './failure.ts';
import type { Interruption } from './interruption.ts';

type Surroundings = { config: Config; log: Logger; interruption: Interruption };

/**
 * Opens the database, runs `serve`, closes `resources` and the database, and rejects with the reason of the
 * interruption where that is no signal.
 */
export async function onDatabase(
  { config, log, interruption }: Surroundings,
  serve: (connectionString: string, resources: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  {
    await using resources = new AsyncDisposableStack();
    const database = await openDatabase(config, log).catch((error: unknown) => {
      // Ctrl-C in a terminal also ends the programs that create a database; that failure has the signal as its reason.
      if (!interruption.signal.aborted) throw error;
    });
    if (database) resources.defer(() => database.close());
    if (database && !interruption.signal.aborted) await serve(database.connectionString, resources);
  }
  endAs(interruption);
}

/** A signal is the regular end of a service; any other reason is a failure. */
function endAs({ signal }: Interruption): void {
  if (!(signal.reason instanceof Interrupted)) throw signal.reason;
}

/** An uncaught error ends the process as a signal does, with the error as its failure. */
export function failOnStrayErrors(interruption: Interruption, tell: (error: unknown) => void): void {
  const fail = (error: unknown) => {
    tell(error);
    interruption.stop(error);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}
