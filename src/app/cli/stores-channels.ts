import { Command, InvalidArgumentError, Option } from 'commander';
import {
  type ChannelChanges,
  type StoreChannels,
  setChannels,
} from '../../fulfillment/store-channels/set-channels.flow.ts';
import {
  emailTarget,
  type PrintAt,
  phoneTarget,
  presentChannel,
  printerTarget,
} from '../../fulfillment/store-channels/store-channel.ts';
import { PRINTER_ENCODINGS } from '../../fulfillment/tickets/paper.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { createPublicHttp } from '../../platform/lib/public-http.ts';
import { parseOnOff } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { alignedTable, answer, type OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';

const OFF = 'off';

type Options = OutputOptions & {
  email?: string;
  sms?: string;
  webhook?: string;
  printer?: string;
  operator?: boolean;
  printAt?: PrintAt;
  encoding?: string;
  autoConfirm?: string;
};

/** `doorstep stores channels`: how a store receives its live orders. */
export function storeChannelsCommand(): Command {
  return new Command('channels')
    .description('Show or set how a store receives its live orders. Every order is offered on every channel.')
    .argument('<store_id>', 'the ID shown by `stores list` and store search')
    .addOption(target('--email <address>', 'offer orders by email', emailTarget, 'one email address'))
    .addOption(target('--sms <phone>', 'offer orders by SMS', phoneTarget, 'a phone number'))
    .addOption(target('--webhook <url>', 'call the URL of a point of sale', (text) => text, 'a URL'))
    .addOption(target('--printer <host:port>', 'print kitchen tickets and receipts', printerTarget, 'HOST:PORT'))
    .addOption(new Option('--operator <on|off>', "let the operator's console take orders").argParser(parseOnOff))
    .addOption(new Option('--print-at <when>', 'when the kitchen ticket is printed').choices(['offered', 'confirmed']))
    .addOption(new Option('--encoding <name>', "the printer's character encoding").choices(PRINTER_ENCODINGS))
    .option('--auto-confirm <minutes|off>', 'confirm each order with this preparation time once a channel has it')
    .option('--json', 'print one JSON document: { store_id, channels: [{ channel, target, state }] }')
    .action(async (storeId: string, options: Options) => {
      const changes = channelChanges(options);
      const set = await withDatabase(async ({ db, config }) => {
        if (typeof changes.webhook === 'string') {
          changes.webhook = await callableUrl(changes.webhook, config.webhookAllowPrivate);
        }
        return db.transaction().execute((tx) => setChannels(tx, storeId, changes, systemClock.now()));
      });
      if (!set) throw new CommandFailure(`No such store: ${storeId}.`);
      answer(options, channelsDocument(set), channelsText(set));
    });
}

function target(flags: string, description: string, parse: (text: string) => string | undefined, expected: string) {
  return new Option(flags, `${description}; ${OFF} removes the channel`).argParser((text: string) => {
    const value = text.trim() === OFF ? OFF : parse(text.trim());
    if (value === undefined) throw new InvalidArgumentError(`The value must be ${expected}, or ${OFF}.`);
    return value;
  });
}

function channelChanges({ operator, printAt, encoding, autoConfirm, ...options }: Options): ChannelChanges {
  const changes: ChannelChanges = {};
  for (const channel of ['email', 'sms', 'webhook', 'printer'] as const) {
    const value = options[channel];
    if (value !== undefined) changes[channel] = value === OFF ? null : value;
  }
  if (operator !== undefined) changes.operator = operator;
  if (printAt !== undefined) changes.printAt = printAt;
  if (encoding !== undefined) changes.encoding = encoding;
  if (autoConfirm !== undefined) changes.autoConfirmMinutes = readMinutes(autoConfirm);
  return changes;
}

function readMinutes(text: string): number | null {
  if (text.trim() === OFF) return null;
  const minutes = Number(text);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > 1440) {
    throw new CommandFailure('--auto-confirm must be whole minutes from 1 to 1440, or off.');
  }
  return minutes;
}

/** The URL in the form in which it will be called. Fails if the service would not call it. */
async function callableUrl(url: string, allowPrivate: boolean): Promise<string> {
  const publicHttp = createPublicHttp({ allowPrivate });
  try {
    const check = await publicHttp.checkUrl(url);
    if ('refusal' in check) throw new CommandFailure(check.refusal);
    return check.url;
  } finally {
    publicHttp.close();
  }
}

function channelsDocument({ storeId, channels, autoConfirmMinutes }: StoreChannels) {
  return {
    store_id: storeId,
    channels: channels.map(presentChannel),
    ...(autoConfirmMinutes === null ? {} : { auto_confirm_minutes: autoConfirmMinutes }),
  };
}

function channelsText({ channels, autoConfirmMinutes }: StoreChannels): string {
  if (channels.length === 0) return "The store has no channel, so live keys can't order from it.";
  const rows = channels.map((channel) => {
    const { state } = presentChannel(channel);
    return [channel.channel, channel.target ?? '', state, channel.lastError ?? '', channel.signingSecret ?? ''];
  });
  const table = alignedTable(['CHANNEL', 'TARGET', 'STATE', 'LAST ERROR', 'SIGNING SECRET'], rows);
  return autoConfirmMinutes === null
    ? table
    : `${table}\nOnce a channel has an order, it is confirmed automatically with ${autoConfirmMinutes} minutes.`;
}
