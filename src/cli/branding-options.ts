import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Branding, type BrandingChanges, EXTRA_CHANNELS, type ExtraChannels } from '../accounts/branding.ts';
import { MAX_FAVICON_BYTES, parseFavicon } from '../accounts/branding-favicon.ts';
import {
  type Parsed,
  parseColor,
  parseDisplayName,
  parseHelpPhone,
  parseHelpUrl,
  parseLogoUrl,
  parseMailAddress,
  parseTrackingHost,
} from '../accounts/branding-fields.ts';
import { parseReorderUrl } from '../accounts/reorder-url.ts';
import { parseOnOff } from './arguments.ts';

/** The options of `branding set` as commander parses them; an empty text clears a field. */
export type BrandingOptions = {
  displayName?: string;
  logoUrl?: string;
  from?: string;
  bcc?: string;
  /** The path of a file. */
  favicon?: string;
  trackingHost?: string;
  color?: string;
  helpUrl?: string;
  helpEmail?: string;
  helpPhone?: string;
  customerCancel?: boolean;
  reorderUrl?: string;
  onItsWay?: ExtraChannels;
  delivered?: ExtraChannels;
};

function brandingOption(flags: string, description: string, parse: (text: string) => Parsed<string>): Option {
  return new Option(flags, description).argParser((text) => {
    if (text.trim() === '') return '';
    const parsed = parse(text);
    if ('fault' in parsed) throw new InvalidArgumentError(parsed.fault);
    return parsed.value;
  });
}

export const BRANDING_OPTIONS: readonly Option[] = [
  brandingOption('--display-name <s>', 'the name in mail, SMS and on the tracking site', parseDisplayName),
  brandingOption('--logo-url <url>', 'the https address of a picture for receipts and the tracking site', parseLogoUrl),
  brandingOption('--from <address>', 'the sender of the mail of the account', parseMailAddress),
  brandingOption('--bcc <address>', 'an address that gets a blind copy of every receipt', parseMailAddress),
  new Option('--favicon <file>', 'a file with a PNG or ICO of 16×16 pixels, at most 64 KiB'),
  brandingOption(
    '--tracking-host <host>',
    'a host name of the tracking site for this account alone',
    parseTrackingHost,
  ),
  brandingOption('--color <#rrggbb>', 'the colour of buttons and accents on the tracking site and in mail', parseColor),
  brandingOption('--help-url <url>', 'an https page on which customers get help', parseHelpUrl),
  brandingOption('--help-email <address>', 'an address that customers write to for help', parseMailAddress),
  brandingOption('--help-phone <phone>', 'a number that customers call for help', parseHelpPhone),
  new Option('--customer-cancel <on|off>', 'let customers cancel on the tracking page').argParser(parseOnOff),
  brandingOption(
    '--reorder-url <url>',
    'an https link to order again; may hold {order_id}, {store_id} and {customer_order_id}',
    parseReorderUrl,
  ),
  new Option('--on-its-way <channels>', 'tell customers that a driver has the order').choices(EXTRA_CHANNELS),
  new Option('--delivered <channels>', 'tell customers that the order was delivered').choices(EXTRA_CHANNELS),
];

/** The fields of text that an option sets, and that an empty value clears. */
const TEXTS = {
  displayName: 'displayName',
  logoUrl: 'logoUrl',
  from: 'fromAddress',
  bcc: 'bccAddress',
  trackingHost: 'trackingHost',
  color: 'color',
  helpUrl: 'helpUrl',
  helpEmail: 'helpEmail',
  helpPhone: 'helpPhone',
  reorderUrl: 'reorderUrl',
} as const satisfies Partial<Record<keyof BrandingOptions, keyof BrandingChanges>>;

/** The fields to change, with the favicon read from its file. A favicon that is refused ends the command as misuse. */
export async function changesOf(options: BrandingOptions, command: Command): Promise<BrandingChanges> {
  const { favicon, customerCancel, onItsWay, delivered } = options;
  const changes: BrandingChanges = {
    ...(favicon === undefined ? {} : { favicon: await readFavicon(favicon, command) }),
    ...(customerCancel === undefined ? {} : { customerCancel }),
    ...(onItsWay === undefined ? {} : { onItsWay }),
    ...(delivered === undefined ? {} : { delivered }),
  };
  for (const option of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
    const text = options[option];
    if (text !== undefined) changes[TEXTS[option]] = text || null;
  }
  if (Object.keys(changes).length === 0) command.error('give at least one field to set, such as --display-name');
  return changes;
}

async function readFavicon(file: string, command: Command): Promise<Branding['favicon']> {
  if (file === '') return null;
  const refuse = (reason: string) => command.error(`option '--favicon <file>' value '${file}' is invalid. ${reason}`);
  // Reading stops at one byte over the limit: that byte proves that the file is too large.
  const bytes = await buffer(createReadStream(file, { end: MAX_FAVICON_BYTES })).catch((error) =>
    refuse(`It cannot be read (${error.code}).`),
  );
  const parsed = parseFavicon(bytes);
  return 'fault' in parsed ? refuse(parsed.fault) : parsed.value;
}
