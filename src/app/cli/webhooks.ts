import { Command } from 'commander';
import { replayWebhookCallProcedure } from '../../surfaces/operator/order-record.route.ts';
import {
  rotateAccountSecretProcedure,
  rotateStoreSecretProcedure,
} from '../../surfaces/operator/webhook-secrets.route.ts';
import { parseWholeTo } from './arguments.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions, secondsText } from './output.ts';

const DEFAULT_OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 720;

type Options = OutputOptions & { account?: string; store?: string; live?: true; overlap: number };

export function webhooksCommand(): Command {
  return new Command('webhooks').addCommand(rotateCommand()).addCommand(replayCommand());
}

function rotateCommand(): Command {
  const command = new Command('rotate');
  return command
    .description("Roll a webhook's signing secret. Calls carry both signatures until the overlap ends.")
    .option('--account <account_id>', "the webhook for this account's sandbox orders")
    .option('--live', "the webhook for the account's live orders instead")
    .option('--store <store_id>', "the webhook for this store's point of sale")
    .option(
      '--overlap <hours>',
      'how long the old secret keeps signing; 0 ends it now',
      parseWholeTo(0, MAX_OVERLAP_HOURS, 'whole hours'),
      DEFAULT_OVERLAP_HOURS,
    )
    .option('--json', 'print one JSON document: { account_id, mode | store_id, endpoint, signing_secret, … }')
    .action(async (options: Options) => {
      const isOne = (options.account === undefined) !== (options.store === undefined);
      if (!isOne || (options.store !== undefined && options.live)) {
        return command.error('error: choose one webhook: --account ID, --account ID --live, or --store ID');
      }
      const { account: account_id = '', store: store_id, live, overlap: overlap_hours } = options;
      const mode = live ? 'live' : 'sandbox';
      const rotated = await withManagement((manage) =>
        store_id === undefined
          ? manage(rotateAccountSecretProcedure, { params: { account_id }, body: { mode, overlap_hours } })
          : manage(rotateStoreSecretProcedure, { params: { store_id }, body: { overlap_hours } }),
      );
      const owner = store_id === undefined ? { account_id, mode } : { store_id };
      const previous_secret_until = secondsText(rotated.previous_secret_until);
      const end = previous_secret_until
        ? `The old secret is valid until ${previous_secret_until}.`
        : 'The old secret no longer works.';
      const text = `${rotated.signing_secret}\nThe signing secret for ${rotated.endpoint}. ${end}`;
      answer(options, { ...owner, ...rotated, previous_secret_until }, text);
    });
}

function replayCommand(): Command {
  return new Command('replay')
    .description('Make a webhook call again, with its ID and body. `orders show` lists the calls of an order.')
    .argument('<webhook_id>', 'the ID of the call')
    .option('--json', 'print one JSON document: { webhook_id, replayed }')
    .action(async (webhook_id: string, options: OutputOptions) => {
      const replayed = await withManagement((manage) => manage(replayWebhookCallProcedure, { params: { webhook_id } }));
      answer(options, replayed, `${webhook_id} is due now.`);
    });
}
