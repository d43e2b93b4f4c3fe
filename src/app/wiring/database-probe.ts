import { errorCode } from 'doorstep/files';
import { unavailableCause } from '../../platform/db/is-database-unavailable.ts';

const WAIT_MS = 2000;
/** Time without a successful statement until a slow database, or one without a free connection, is unavailable. */
const SILENCE_MS = 10_000;

const SILENT = 'No statement of the database has succeeded for 10 seconds.';

/**
 * Whether the database can be used. A server that refuses is unavailable at once; a slow one, or one without a free
 * connection, after a while, so that a moment of load does not take every node out of a proxy at once.
 */
export class DatabaseProbe {
  private readonly read: () => Promise<unknown>;
  private lastSuccessMs = -Infinity;
  private running: Promise<string | undefined> | undefined;

  constructor(read: () => Promise<unknown>) {
    this.read = read;
  }

  /** Returns why the database cannot be used, as a sentence; undefined if it can. */
  async check(): Promise<string | undefined> {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    const late = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => late.resolve(this.ifSilent()), WAIT_MS);
    return Promise.race([this.running, late.promise]).finally(() => clearTimeout(timer));
  }

  private async run(): Promise<string | undefined> {
    try {
      await this.read();
      this.lastSuccessMs = performance.now();
      return undefined;
    } catch (error) {
      const cause = unavailableCause(error);
      if (cause === 'connections' || cause === 'timeout' || cause === 'resources') return this.ifSilent();
      if (cause === 'password') return `The database refused the user or password (${errorCode(error)}).`;
      return 'The database does not respond.';
    }
  }

  private ifSilent(): string | undefined {
    return performance.now() - this.lastSuccessMs < SILENCE_MS ? undefined : SILENT;
  }
}
