import { Command, Option } from 'commander';
import type { Static } from 'typebox';
import { emailTarget, phoneTarget, printerTarget } from '../../fulfillment/store-channels/store-channel.ts';
import { PRINTER_ENCODINGS } from '../../fulfillment/tickets/paper.ts';
import { integerBetween } from '../../platform/lib/parse-setting.ts';
import { snakeCase } from '../../platform/lib/snake-case.ts';
import { channelsBodyOf } from '../../surfaces/operator/store-words.flow.ts';
import { readAnyStoreProcedure, setStoreChannelsProcedure } from '../../surfaces/operator/stores.route.ts';
import { parsed, parseOnOff } from './arguments.ts';
import { withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';
import { fileOption, setStores } from './stores-file.ts';

const OFF = 'off';
const PRINTS = 'print kitchen tickets and receipts';

const orOff = <T>(parse: (text: string) => T | undefined, expected: string) =>
  parsed<T | typeof OFF>((text) => (text === OFF ? OFF : parse(text)), `${expected}, or ${OFF}`);

/** `doorstep stores channels`: how a store receives its live orders. */
export function storeChannelsCommand(): Command {
  return new Command('channels')
    .description('Show or set how a store receives its live orders. Every order is offered on every channel.')
    .argument('[store_id]', 'the ID shown by `stores list` and store search')
    .addOption(fileOption('email, sms, webhook, printer, operator, print_at, encoding, auto_confirm'))
    .addOption(target('--email <address>', 'offer orders by email', emailTarget, 'one email address'))
    .addOption(target('--sms <phone>', 'offer orders by SMS', phoneTarget, 'a phone number'))
    .addOption(target('--webhook <url>', 'call the URL of a point of sale', (text) => text, 'a URL'))
    .addOption(
      target('--printer <address>', `${PRINTS}, at HOST:PORT or NAME://…`, printerTarget, 'HOST:PORT or NAME://…'),
    )
    .addOption(new Option('--operator <on|off>', "let the operator's console take orders").argParser(parseOnOff))
    .addOption(new Option('--print-at <when>', 'when the kitchen ticket is printed').choices(['offered', 'confirmed']))
    .addOption(new Option('--encoding <name>', "the printer's character encoding").choices(PRINTER_ENCODINGS))
    .option(
      '--auto-confirm <minutes|off>',
      'confirm each order with this preparation time once a channel has it',
      orOff(integerBetween(1, 1440), 'whole minutes from 1 to 1440'),
    )
    .option('--json', 'print one JSON document: { store_id, channels: [{ channel, target, state }] }')
    .action((given: string | undefined, options: OutputOptions & { file?: string }) =>
      setStores(given, options, showChannels, async (manage, store_id, words) => {
        const body = channelsBodyOf(words);
        const { channels, signing_secret } = await manage(setStoreChannelsProcedure, { params: { store_id }, body });
        return { channels: channels.map((channel) => presentChannel(channel, signing_secret)) };
      }),
    );
}

/** Shows the store's channels, after setting those that options name. */
async function showChannels(store_id: string, { json, ...options }: OutputOptions): Promise<void> {
  const words = snakeCase(options, String);
  const params = { store_id };
  const { channels, auto_confirm_minutes, secret } = await withManagement(async (manage) => {
    if (Object.keys(words).length === 0)
      return { ...(await manage(readAnyStoreProcedure, { params })), secret: undefined };
    const body = channelsBodyOf(words);
    const { signing_secret: secret, ...set } = await manage(setStoreChannelsProcedure, { params, body });
    return { ...set, secret };
  });
  const documents = channels.map((channel) => presentChannel(channel, secret));
  const document = { store_id, channels: documents, ...(auto_confirm_minutes !== null && { auto_confirm_minutes }) };
  answer({ json: json === true }, document, channelsText(documents, auto_confirm_minutes));
}

function target(flags: string, description: string, parse: (text: string) => string | undefined, expected: string) {
  return new Option(flags, `${description}; ${OFF} removes the channel`).argParser(orOff(parse, expected));
}

type ShownChannel = Static<(typeof setStoreChannelsProcedure)['answer']>['channels'][number];

function presentChannel({ failing_since, last_error, ...channel }: ShownChannel, secret: string | undefined) {
  return {
    ...channel,
    state: stateOf(failing_since, last_error),
    ...(failing_since !== null && { failing_since: secondsText(failing_since) }),
    ...(last_error !== null && { last_error }),
    ...(channel.channel === 'webhook' && secret !== undefined && { signing_secret: secret }),
  };
}

function stateOf(failingSince: number | null, lastError: string | null): 'working' | 'failing' | 'untried' {
  if (failingSince !== null) return 'failing';
  return lastError === null ? 'working' : 'untried';
}

function channelsText(
  channels: readonly ReturnType<typeof presentChannel>[],
  autoConfirmMinutes: number | null,
): string {
  if (channels.length === 0) return "The store has no channel, so live keys can't order from it.";
  const rows = channels.map((channel) => [
    channel.channel,
    channel.target ?? '',
    channel.state,
    ('last_error' in channel && channel.last_error) || '',
    ('signing_secret' in channel && channel.signing_secret) || '',
  ]);
  const table = alignedTable(['CHANNEL', 'TARGET', 'STATE', 'LAST ERROR', 'SIGNING SECRET'], rows);
  return autoConfirmMinutes === null
    ? table
    : `${table}\nOnce a channel has an order, it is confirmed automatically with ${autoConfirmMinutes} minutes.`;
}
