import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Static } from 'typebox';
import { DEFAULT_DISPLAY_NAME, EXTRA_CHANNELS } from '../../access/accounts/branding.ts';
import { MAX_FAVICON_BYTES, parseFavicon } from '../../access/accounts/branding-favicon.ts';
import { BRANDING_TEXTS, type BrandingText } from '../../access/accounts/branding-fields.ts';
import {
  type BrandingBody,
  checkBrandingProcedure,
  readBrandingProcedure,
  setBrandingProcedure,
  verifyTrackingHostProcedure,
} from '../../surfaces/operator/branding.route.ts';
import { parseOnOff } from './arguments.ts';
import { withManagement, withTokens } from './manage.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';

type AccountOptions = OutputOptions & { account: string };

export function brandingCommand(): Command {
  return new Command('branding')
    .addCommand(setCommand())
    .addCommand(showCommand())
    .addCommand(checkCommand())
    .addCommand(verifyCommand());
}

function setCommand(): Command {
  const command = accountCommand(
    'set',
    "Set an account's branding and print the DNS records it needs. An empty value clears a field.",
  );
  for (const option of Object.values(OPTIONS)) command.addOption(option);
  return command
    .option('--json', 'print one JSON document: { account_id, display_name, …, dns_records: […] }')
    .action(async (options: AccountOptions) => {
      const body = await brandingChanges({ ...options }, command);
      const { changed, ...branding } = await withManagement((manage) =>
        manage(setBrandingProcedure, { params: paramsOf(options), body }),
      );
      const text = `${changed ? 'Saved.' : 'Nothing changed.'}\n${describe(branding)}`;
      answer(options, presentBranding(branding), text);
    });
}

function showCommand(): Command {
  return accountCommand('show', "Show an account's branding and the DNS records it needs.")
    .option('--json', 'print one JSON document: { account_id, display_name, …, dns_records: […] }')
    .action(async (options: AccountOptions) => {
      const branding = await withManagement((manage) => manage(readBrandingProcedure, { params: paramsOf(options) }));
      answer(options, presentBranding(branding), describe(branding));
    });
}

function checkCommand(): Command {
  return accountCommand('check', "Check that the DNS records an account's branding needs are in place.")
    .option('--json', 'print one JSON document: { account_id, ok, dns_records: [{ …, state, found }] }')
    .addHelpText(
      'after',
      "\nExit status: 0 if every required record is right; 1 if one is missing, wrong, or can't be looked up.",
    )
    .action(async (options: AccountOptions) => {
      const checked = await withManagement((manage) => manage(checkBrandingProcedure, { params: paramsOf(options) }));
      const { dns_records: records } = checked;
      answer(options, checked, records.length > 0 ? describeChecks(records) : 'This branding needs no DNS records.');
      if (!checked.ok) process.exitCode = 1;
    });
}

function verifyCommand(): Command {
  return accountCommand(
    'verify',
    "Verify that an account's tracking host points to this service. Links use the host once it's verified.",
  )
    .option('--json', 'print one JSON document: { account_id, tracking_host, verified, verified_at, reason }')
    .addHelpText('after', "\nExit status: 0 if the host points to this service; 1 if it doesn't, or none is set.")
    .action(async (options: AccountOptions) => {
      const { verified_at, ...verified } = await withTokens((manage) =>
        manage(verifyTrackingHostProcedure, { params: paramsOf(options), body: {} }),
      );
      const { tracking_host: host, reason } = verified;
      answer(
        options,
        { ...verified, verified_at: secondsText(verified_at) },
        reason ?? `${host} points to this service. Links now use it.`,
      );
      if (reason !== null) process.exitCode = 1;
    });
}

const accountCommand = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .requiredOption('--account <account_id>', 'the account whose branding this is');

const paramsOf = ({ account: account_id }: AccountOptions) => ({ account_id });

type Shown = Static<typeof readBrandingProcedure.answer>;
type DnsRecord = Shown['dns_records'][number];
type CheckedRecord = Static<typeof checkBrandingProcedure.answer>['dns_records'][number];

/** The options of `branding set` by the member of the request that they set; an empty text clears a member. */
const OPTIONS: Readonly<Record<string, Option>> = {
  display_name: text('displayName', '--display-name <s>', 'name shown in email, SMS and on the tracking site'),
  logo_url: text('logoUrl', '--logo-url <url>', 'https URL of a logo for receipts and the tracking site'),
  from_address: text('fromAddress', '--from <address>', "sender of the account's email"),
  bcc_address: text('bccAddress', '--bcc <address>', 'address that gets a blind copy (Bcc) of every receipt'),
  favicon: new Option('--favicon <file>', 'PNG or ICO file, 16×16 pixels, 64 KiB at most'),
  tracking_host: text('trackingHost', '--tracking-host <host>', "host name of this account's own tracking site"),
  color: text('color', '--color <#rrggbb>', 'color of buttons and accents on the tracking site and in email'),
  help_url: text('helpUrl', '--help-url <url>', 'https page where customers get help'),
  help_email: text('helpEmail', '--help-email <address>', 'email address where customers get help'),
  help_phone: text('helpPhone', '--help-phone <phone>', 'phone number that customers call for help'),
  terms_url: text('termsUrl', '--terms-url <url>', 'https page of your terms of service'),
  privacy_url: text('privacyUrl', '--privacy-url <url>', 'https page of your privacy policy'),
  customer_cancel: new Option('--customer-cancel <on|off>', 'let customers cancel on the tracking page').argParser(
    parseOnOff,
  ),
  reorder_url: text(
    'reorderUrl',
    '--reorder-url <url>',
    'https link to order again; can contain {order_id}, {store_id} and {customer_order_id}',
  ),
  on_its_way: channels('--on-its-way <channels>', 'tell customers when a driver has the order'),
  delivered: channels('--delivered <channels>', 'tell customers when the order is delivered'),
  shop: new Option('--shop <mode>', 'a shop at the tracking host, with live or sandbox orders').choices([
    'off',
    'sandbox',
    'live',
  ]),
  shop_stores: new Option(
    '--shop-stores <ids>',
    'the only stores of the shop, separated by commas; `all` for all, the default',
  ).argParser((text) =>
    text.trim() === 'all'
      ? []
      : text
          .split(',')
          .map((id) => id.trim())
          .filter(Boolean),
  ),
  shop_near: new Option('--shop-near <address>', 'address near which the shop shows stores to visitors without one'),
};

function text(field: BrandingText, flags: string, description: string): Option {
  return new Option(flags, description).argParser((given) => {
    if (given.trim() === '') return '';
    const parsed = BRANDING_TEXTS[field](given);
    if ('fault' in parsed) throw new InvalidArgumentError(parsed.fault);
    return parsed.value;
  });
}

function channels(flags: string, description: string): Option {
  return new Option(flags, description).choices(EXTRA_CHANNELS);
}

/** The members to change. Reads the favicon from its file; a refused favicon ends the command as misuse. */
async function brandingChanges(options: Readonly<Record<string, unknown>>, command: Command): Promise<BrandingBody> {
  const given = Object.entries(OPTIONS).map(([name, option]) => [name, options[option.attributeName()]] as const);
  const changes: BrandingBody = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  // Commander turns a parsed null into an empty text.
  if (changes.shop_stores?.length === 0) changes.shop_stores = null;
  if (changes.favicon) changes.favicon = await readFavicon(changes.favicon, command);
  if (Object.keys(changes).length === 0) command.error('pass at least one field, such as --display-name');
  return changes;
}

async function readFavicon(file: string, command: Command): Promise<string> {
  const refuse = (reason: string) => command.error(`option '--favicon <file>' value '${file}' is invalid. ${reason}`);
  // Reads one byte over the limit, to detect files that are too large.
  const bytes = await buffer(createReadStream(file, { end: MAX_FAVICON_BYTES })).catch((error) =>
    refuse(`It cannot be read (${error.code}).`),
  );
  const parsed = parseFavicon(bytes);
  return 'fault' in parsed ? refuse(parsed.fault) : bytes.toString('base64');
}

const presentBranding = ({ tracking_host_verified_at, ...branding }: Shown) => ({
  ...branding,
  tracking_host_verified_at: secondsText(tracking_host_verified_at),
});

function describe({ dns_records: records, ...branding }: Shown): string {
  const { favicon } = branding;
  const help = [branding.help_url, branding.help_email, branding.help_phone].filter((way) => way !== null);
  const rows = [
    ['Display name', branding.display_name ?? `${DEFAULT_DISPLAY_NAME} (default)`],
    ['Logo', branding.logo_url ?? '-'],
    ['Sender', branding.from_address ?? '-'],
    ['Blind copy', branding.bcc_address ?? '-'],
    ['Favicon', favicon ? `${favicon.type}, ${favicon.size} bytes` : '-'],
    ['Tracking host', hostInWords(branding)],
    ['Color', branding.color ?? '-'],
    ['Help', help.join(', ') || '-'],
    ['Terms', branding.terms_url ?? '-'],
    ['Privacy', branding.privacy_url ?? '-'],
    ['Customers cancel', branding.customer_cancel ? 'on' : 'off'],
    ['Reorder link', branding.reorder_url ?? '-'],
    ['On its way', branding.on_its_way],
    ['Delivered', branding.delivered],
    ['Shop', shopInWords(branding)],
    ['Shop stores', branding.shop_stores?.join(', ') ?? 'all'],
    ['Shop near', branding.shop_near ?? '-'],
  ];
  const table = alignedTable(['ACCOUNT', branding.account_id], rows);
  return records.length === 0 ? table : `${table}\n\nSet these DNS records:\n${describeRecords(records)}`;
}

function hostInWords({ tracking_host, tracking_host_verified_at }: Omit<Shown, 'dns_records'>): string {
  if (tracking_host === null) return '-';
  const since = secondsText(tracking_host_verified_at);
  return `${tracking_host} (${since === null ? "not verified, so links don't use it yet" : `verified ${since}`})`;
}

function shopInWords({ shop, tracking_host: host, tracking_host_verified_at: verifiedAt }: Omit<Shown, 'dns_records'>) {
  if (shop === 'off') return shop;
  if (host === null) return `${shop} (its address is the tracking host: set one)`;
  return `${shop} (at ${host}${verifiedAt === null ? ' once that is verified' : ''})`;
}

/** A table with one row per value of each DNS record. */
function describeRecords(records: readonly DnsRecord[]): string {
  const rows = records.flatMap(({ type, name, values, note }) =>
    (values.length > 0 ? values : ['?']).map((value) => [type, name, value, note ?? '']),
  );
  return alignedTable(['TYPE', 'NAME', 'VALUE', 'NOTE'], rows);
}

function describeChecks(records: readonly CheckedRecord[]): string {
  const rows = records.map(({ state, type, name, values, found, required }) => [
    required || state === 'ok' ? state : `${state} (optional)`,
    type,
    name,
    values.join(', ') || '?',
    found.join(', ') || '-',
  ]);
  return alignedTable(['STATE', 'TYPE', 'NAME', 'EXPECTED', 'FOUND'], rows);
}
