import { Command } from 'commander';
import { rotateUcpKeyProcedure } from '../../surfaces/ucp/rotate-key.route.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';

export function ucpCommand(): Command {
  return new Command('ucp').addCommand(rotateKeyCommand());
}

function rotateKeyCommand(): Command {
  return new Command('rotate-key')
    .description('Publish a new key that signs answers. The old one stays published for seven days.')
    .option('--now', 'the old key has leaked: drop it at once')
    .option('--json', 'print one JSON document: { key_ids }')
    .action(async (options: OutputOptions & { now?: boolean }) => {
      const rotated = await withManagement((manage) =>
        manage(rotateUcpKeyProcedure, { body: { now: options.now ?? false } }),
      );
      const others = rotated.key_ids.length - 1;
      const fate = others === 0 ? 'No other key is published.' : `Keys published beside it: ${others}.`;
      answer(options, rotated, `New key: ${rotated.key_ids.at(-1)}. ${fate}\nNodes notice within a minute.`);
    });
}
