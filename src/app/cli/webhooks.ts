import { Command, InvalidArgumentError } from 'commander';
import { rotateStoreSecret } from '../../fulfillment/store-channels/set-channels.flow.ts';
import { rotateWebhookSecret } from '../../notify/webhooks/rotate-secret.flow.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import type { Rotation } from '../../platform/lib/standard-webhook.ts';
import { requireAccount } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { answer, momentText, type OutputOptions } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

const DEFAULT_OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 720;

type Options = OutputOptions & { account?: string; store?: string; live?: true; overlap: number };
type Webhook = { owner: Record<string, string>; name: string; rotation: (Rotation & { url: string }) | undefined };

export function webhooksCommand(): Command {
  return new Command('webhooks').addCommand(rotateCommand());
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
      parseHours,
      DEFAULT_OVERLAP_HOURS,
    )
    .option('--json', 'print one JSON document: { account_id, mode | store_id, endpoint, signing_secret, … }')
    .action(async (options: Options) => {
      const isOne = (options.account === undefined) !== (options.store === undefined);
      if (!isOne || (options.store !== undefined && options.live)) {
        return command.error('error: choose one webhook: --account ID, --account ID --live, or --store ID');
      }
      const { owner, name, rotation } = await withDatabase((context) => rotate(context, options));
      if (!rotation) throw new CommandFailure(`${name} has no webhook.`);
      if (rotation.state === 'still overlapping') {
        const until = momentText(rotation.previousUntil);
        throw new CommandFailure(
          `The previous secret is still valid until ${until}. Wait until then, or end all older secrets now with --overlap 0.`,
        );
      }
      const { secret, previousUntil } = rotation.secrets;
      const document = {
        ...owner,
        endpoint: rotation.url,
        signing_secret: secret,
        previous_secret_until: momentText(previousUntil ?? null),
      };
      const end = previousUntil
        ? `The old secret is valid until ${momentText(previousUntil)}.`
        : 'The old secret no longer works.';
      answer(options, document, `${secret}\nThe signing secret for ${rotation.url}. ${end}`);
    });
}

async function rotate({ db }: CommandContext, { account, store, live, overlap }: Options): Promise<Webhook> {
  const needs = { db, clock: systemClock };
  if (account === undefined) {
    const storeId = store ?? '';
    const rotation = await rotateStoreSecret(needs, storeId, overlap);
    return { owner: { store_id: storeId }, name: `The store ${storeId}`, rotation };
  }
  await requireAccount(db, account);
  const mode = live ? 'live' : 'sandbox';
  const rotation = await rotateWebhookSecret(needs, { accountId: account, mode }, overlap);
  return { owner: { account_id: account, mode }, name: `The account ${account} in ${mode} mode`, rotation };
}

function parseHours(text: string): number {
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (hours <= MAX_OVERLAP_HOURS) return hours;
  throw new InvalidArgumentError(`The value must be whole hours from 0 to ${MAX_OVERLAP_HOURS}.`);
}
