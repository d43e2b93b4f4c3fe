import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Branding, BrandingChanges } from '../accounts/branding.ts';
import { MAX_FAVICON_BYTES, parseFavicon } from '../accounts/branding-favicon.ts';
import {
  type Parsed,
  parseDisplayName,
  parseLogoUrl,
  parseMailAddress,
  parseTrackingHost,
} from '../accounts/branding-fields.ts';

/** The options of `branding set` as commander parses them; an empty text clears a field. */
export type BrandingOptions = {
  displayName?: string;
  logoUrl?: string;
  from?: string;
  bcc?: string;
  /** The path of a file. */
  favicon?: string;
  trackingHost?: string;
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
];

/** The fields to change, with the favicon read from its file. A favicon that is refused ends the command as misuse. */
export async function changesOf(options: BrandingOptions, command: Command): Promise<BrandingChanges> {
  const { displayName, logoUrl, from, bcc, favicon, trackingHost } = options;
  const changes = {
    ...(displayName === undefined ? {} : { displayName: displayName || null }),
    ...(logoUrl === undefined ? {} : { logoUrl: logoUrl || null }),
    ...(from === undefined ? {} : { fromAddress: from || null }),
    ...(bcc === undefined ? {} : { bccAddress: bcc || null }),
    ...(favicon === undefined ? {} : { favicon: await readFavicon(favicon, command) }),
    ...(trackingHost === undefined ? {} : { trackingHost: trackingHost || null }),
  };
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
