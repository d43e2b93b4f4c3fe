import { Command } from 'commander';
import { retireTokenSecret, rotateTokenSecret } from '../../platform/db/token-secret.db.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

const RESTART = 'Restart every node now: a running node keeps the secrets that it started with.';
const IS_SET =
  'TOKEN_SECRET is set, and the database has no part in it: give it a new value, and its old value to TOKEN_SECRET_PREVIOUS.';
const HAS_PREVIOUS =
  'The secret before the current one still opens tokens: end it with `doorstep tokens retire` first, or end both with --no-overlap.';

export function tokensCommand(): Command {
  return new Command('tokens')
    .description('Manage the secret that seals opaque tokens and links, where the database keeps it (no TOKEN_SECRET).')
    .addCommand(rotateCommand())
    .addCommand(retireCommand());
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Make another secret. Tokens of the old secret still open, until `doorstep tokens retire`.')
    .option('--no-overlap', 'the old secret has leaked: end it, and all its tokens and links')
    .option('--json', 'answer with one JSON document: { rotated, previous_kept }')
    .action(async (options: OutputOptions & { overlap: boolean }) => {
      const keepsPrevious = options.overlap;
      const isRotated = await withDatabase((context) => {
        requireStored(context);
        return context.db.transaction().execute((tx) => rotateTokenSecret(tx, { keepsPrevious }));
      });
      if (!isRotated) throw new CommandFailure(HAS_PREVIOUS);
      const fate = keepsPrevious ? 'Tokens of the old secret still open.' : 'Tokens of the old secret open no more.';
      answer(options, { rotated: true, previous_kept: keepsPrevious }, `There is a new secret. ${fate}\n${RESTART}`);
    });
}

function retireCommand(): Command {
  return new Command('retire')
    .description('Forget the secret before the current one: its tokens and links open no more.')
    .option('--json', 'answer with one JSON document: { retired }')
    .action(async (options: OutputOptions) => {
      const retired = await withDatabase((context) => {
        requireStored(context);
        return retireTokenSecret(context.db);
      });
      const text = retired ? `The old secret is forgotten.\n${RESTART}` : 'There is no old secret.';
      answer(options, { retired }, text);
    });
}

function requireStored({ config }: CommandContext): void {
  if (config.tokenSecret !== undefined) throw new CommandFailure(IS_SET);
}
