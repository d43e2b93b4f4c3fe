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

/** As commander hands them over; an empty text clears. */
export type BrandingOptions = {
  displayName?: string;
  logoUrl?: string;
  from?: string;
  bcc?: string;
  /** The file's path. */
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
  brandingOption('--display-name <s>', 'shown in mail, SMS and on the tracking site', parseDisplayName),
  brandingOption('--logo-url <url>', 'a picture that receipts and the tracking site show (https)', parseLogoUrl),
  brandingOption('--from <address>', 'the sender of its mail', parseMailAddress),
  brandingOption('--bcc <address>', 'gets a blind copy of every receipt', parseMailAddress),
  new Option('--favicon <file>', 'a PNG or ICO of 16×16 pixels, at most 64 KiB'),
  brandingOption('--tracking-host <host>', 'a host name that the tracking site answers for', parseTrackingHost),
];

/** What was named, read and checked; a favicon that will not do ends the command as misuse. */
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
  if (Object.keys(changes).length === 0) command.error('name what to set, such as --display-name');
  return changes;
}

async function readFavicon(file: string, command: Command): Promise<Branding['favicon']> {
  if (file === '') return null;
  const refuse = (reason: string) => command.error(`option '--favicon <file>' value '${file}' is invalid. ${reason}`);
  // One byte too many is enough to tell that a file is too large, however large it is.
  const bytes = await buffer(createReadStream(file, { end: MAX_FAVICON_BYTES })).catch((error) =>
    refuse(`It cannot be read (${error.code}).`),
  );
  const parsed = parseFavicon(bytes);
  return 'fault' in parsed ? refuse(parsed.fault) : parsed.value;
}
