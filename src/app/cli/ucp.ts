import { Command, Option } from 'commander';
import { bindUcpPlatformProcedure } from '../../surfaces/ucp/bind-platform.route.ts';
import { rotateUcpKeyProcedure } from '../../surfaces/ucp/rotate-key.route.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';

export function ucpCommand(): Command {
  return new Command('ucp').addCommand(bindCommand()).addCommand(rotateKeyCommand());
}

function bindCommand(): Command {
  return new Command('bind')
    .description('Let a platform order for an account, whose branding has the URLs of its terms and privacy policy.')
    .argument('<account-id>', 'of `accounts list`')
    .requiredOption('--platform <url>', "of the platform's profile")
    .addOption(new Option('--mode <mode>').choices(['sandbox', 'live']).makeOptionMandatory())
    .addOption(
      new Option('--orders <who>', 'who finishes orders: a person, or the platform; `off` ends the binding')
        .choices(['handover', 'place', 'off'])
        .default('handover'),
    )
    .option('--json', 'print one JSON document: { profile_url, account_id, orders }')
    .action(async (account_id: string, options: OutputOptions & BindOptions) => {
      const { platform: profile_url, mode, orders } = options;
      const bound = await withManagement((manage) =>
        manage(bindUcpPlatformProcedure, { params: { account_id }, body: { profile_url, mode, orders } }),
      );
      const sentence = orders === 'off' ? 'is no longer bound to' : `orders (${orders}, ${mode}) for`;
      answer(options, bound, `${profile_url} ${sentence} ${account_id}.`);
    });
}

type BindOptions = { platform: string; mode: 'sandbox' | 'live'; orders: 'handover' | 'place' | 'off' };

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
