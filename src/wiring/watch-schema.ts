import type { Logger } from 'pino';
import { migrationNames } from '../db/migrations.ts';
import { NewerSchemaError, refuseNewerSchema } from '../db/newer-schema.ts';
import { repeat } from '../jobs/repeat.ts';

const EVERY_MS = 1000;

export type SchemaWatch = {
  /** A sentence once a newer version has migrated the schema away from this one: this node serves no more. */
  stoppedBecause(): string | undefined;
  /** Looks once. */
  look(): Promise<void>;
  stop(): Promise<void>;
};

export type SchemaWatchOptions = {
  pool: Parameters<typeof refuseNewerSchema>[0];
  log: Logger;
  /** Called once, when this version must stop. */
  onNewerSchema?: ((error: NewerSchemaError) => void) | undefined;
  /** A test looks itself. */
  repeats: boolean;
};

/** Watches for a newer version that migrates the schema to what this version cannot work on (docs/operating.md#upgrade). */
export async function watchSchema({ pool, log, onNewerSchema, repeats }: SchemaWatchOptions): Promise<SchemaWatch> {
  const known = new Set(await migrationNames());
  let found: NewerSchemaError | undefined;
  const look = async () => {
    if (found) return;
    await refuseNewerSchema(pool, known).catch((error: unknown) => {
      if (!(error instanceof NewerSchemaError)) throw error;
      found = error;
      log.fatal(error.message);
      onNewerSchema?.(error);
    });
  };
  // A database that is away for a while says nothing of its schema; requests report that themselves.
  const quietly = () => look().catch((error) => log.debug({ err: error }, 'the schema was not looked at'));
  const repeating = repeats ? repeat('watching the schema', EVERY_MS, log, quietly) : undefined;
  return {
    stoppedBecause: () => found?.message,
    look,
    stop: async () => repeating?.stop(),
  };
}
