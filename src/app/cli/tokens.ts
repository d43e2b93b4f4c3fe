import { Command } from 'commander';
import { retireTokensProcedure, rotateTokensProcedure } from '../../surfaces/operator/tokens.route.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';

const RESTART = 'Restart every node now; running nodes keep the secrets they started with.';
const ONLY_THIS = 'From now on only nodes with this TOKEN_SECRET start.';

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
      const { is_stored, ...rotated } = await withManagement((manage) =>
        manage(rotateTokensProcedure, { body: { keep_previous: options.overlap } }),
      );
      const fate = rotated.previous_kept
        ? 'Tokens sealed with the old one stay valid.'
        : 'Tokens sealed with the old one are no longer valid.';
      answer(options, rotated, `${is_stored ? `Created a new secret. ${fate}` : ONLY_THIS}\n${RESTART}`);
    });
}

function retireCommand(): Command {
  return new Command('retire')
    .description('Delete the previous secret. Its tokens and links stop working.')
    .option('--json', 'print one JSON document: { retired }')
    .action(async (options: OutputOptions) => {
      const { retired } = await withManagement((manage) => manage(retireTokensProcedure, {}));
      answer(options, { retired }, retired ? `Deleted the old secret.\n${RESTART}` : 'There is no old secret.');
    });
}
