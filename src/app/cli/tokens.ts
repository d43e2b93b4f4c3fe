import { Command } from 'commander';
import type { Sql } from '../../platform/db/connect.ts';
import { replaceFingerprints, retireTokenSecret, rotateTokenSecret } from '../../platform/db/token-secret.db.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { recordChange } from '../../surfaces/operator/actions.db.ts';
import { CommandFailure } from './failure.ts';
import { commandLineUser } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

const RESTART = 'Restart every node now; running nodes keep the secrets they started with.';
const IS_SET =
  "TOKEN_SECRET is set, so the secret isn't in the database. Give TOKEN_SECRET a new value, and move its old value to TOKEN_SECRET_PREVIOUS.";
const ONLY_THIS = 'From now on only nodes with this TOKEN_SECRET start.';
const HAS_PREVIOUS =
  'The previous secret is still accepted. Retire it first with `doorstep tokens retire`, or end both with --no-overlap.';

export function tokensCommand(): Command {
  return new Command('tokens').addCommand(rotateCommand()).addCommand(retireCommand());
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Create a new secret. Tokens sealed with the old one stay valid until `doorstep tokens retire`.')
    .option(
      '--no-overlap',
      'the old secret has leaked: invalidate it with all its tokens and links; with TOKEN_SECRET, only nodes with its present value start',
    )
    .option('--json', 'print one JSON document: { rotated, previous_kept }')
    .action(async (options: OutputOptions & { overlap: boolean }) => {
      const keepsPrevious = options.overlap;
      const isSet = await withDatabase((context) =>
        recorded(context, { action: 'tokens.rotate', details: { previous_kept: keepsPrevious } }, async (tx) => {
          const { tokenSecret } = context.config;
          if (keepsPrevious) requireStored(context);
          else await replaceFingerprints(tx, tokenSecret);
          if (tokenSecret === undefined && !(await rotateTokenSecret(tx, { keepsPrevious }))) {
            throw new CommandFailure(HAS_PREVIOUS);
          }
          return tokenSecret !== undefined;
        }),
      );
      if (isSet) return answer(options, { rotated: true, previous_kept: false }, `${ONLY_THIS}\n${RESTART}`);
      const fate = keepsPrevious
        ? 'Tokens sealed with the old one stay valid.'
        : 'Tokens sealed with the old one are no longer valid.';
      answer(options, { rotated: true, previous_kept: keepsPrevious }, `Created a new secret. ${fate}\n${RESTART}`);
    });
}

function retireCommand(): Command {
  return new Command('retire')
    .description('Delete the previous secret. Its tokens and links stop working.')
    .option('--json', 'print one JSON document: { retired }')
    .action(async (options: OutputOptions) => {
      const retired = await withDatabase((context) => {
        requireStored(context);
        return recorded(context, { action: 'tokens.retire', details: {} }, retireTokenSecret);
      });
      const text = retired ? `Deleted the old secret.\n${RESTART}` : 'There is no old secret.';
      answer(options, { retired }, text);
    });
}

/** Keeps a change of the secret in the history. */
const recorded = <T>(
  { db }: CommandContext,
  change: { action: 'tokens.rotate' | 'tokens.retire'; details: Readonly<Record<string, unknown>> },
  run: (tx: Sql) => Promise<T>,
): Promise<T> =>
  recordChange({ db, clock: systemClock }, { sessionId: commandLineUser() }, run, () => ({
    target: 'service',
    ...change,
  }));

function requireStored({ config }: CommandContext): void {
  if (config.tokenSecret !== undefined) throw new CommandFailure(IS_SET);
}
