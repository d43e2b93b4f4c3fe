import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  type Branding,
  type BrandingChanges,
  DEFAULT_DISPLAY_NAME,
  EXTRA_CHANNELS,
} from '../../access/accounts/branding.ts';
import { MAX_FAVICON_BYTES, parseFavicon } from '../../access/accounts/branding-favicon.ts';
import {
  type Parsed,
  parseColor,
  parseDisplayName,
  parseHelpPhone,
  parseMailAddress,
  parsePublicLink,
  parseReorderUrl,
  parseTrackingHost,
} from '../../access/accounts/branding-fields.ts';
import { findBranding, saveBranding } from '../../access/accounts/brandings.db.ts';
import { checkRecords, listRecords } from '../../access/accounts/dns-records.flow.ts';
import type { CheckedRecord, DnsRecord } from '../../access/accounts/dns-records.ts';
import { verifyHost } from '../../access/accounts/verify-host.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { readTokenSecrets } from '../../platform/db/token-secret.db.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { createPublicHttp } from '../../platform/lib/public-http.ts';
import { createTokenSealer } from '../../platform/lib/tokens.ts';
import { recordChange } from '../../surfaces/operator/actions.db.ts';
import { createDnsResolver } from '../adapters/dns-resolver.ts';
import { parseOnOff, requireAccount } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { commandLineUser } from './manage.ts';
import { alignedTable, answer, jsonDocument, momentText, type OutputOptions } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

const UNIQUE_VIOLATION = '23505';

type AccountOptions = OutputOptions & { account: string };

export function brandingCommand(): Command {
  return new Command('branding')
    .addCommand(setCommand())
    .addCommand(showCommand())
    .addCommand(checkCommand())
    .addCommand(verifyCommand());
}

function setCommand(): Command {
  const command = new Command('set')
    .description("Set an account's branding and print the DNS records it needs. An empty value clears a field.")
    .requiredOption('--account <account_id>', 'the account whose branding this is');
  for (const { option } of FIELDS) command.addOption(option);
  return command
    .option('--json', 'print one JSON document: { account_id, display_name, …, dns_records: […] }')
    .action(async (options: AccountOptions) => {
      const changes = await brandingChanges({ ...options }, command);
      const { branding, changed, records } = await withDatabase(async ({ db, config }) => {
        const saved = await setBranding(db, config, options.account, changes);
        const { fromAddress = null, trackingHost = null } = changes;
        return { ...saved, records: await listRecords({ fromAddress, trackingHost }, config, createDnsResolver()) };
      });
      const text = `${changed ? 'Saved.' : 'Nothing changed.'}\n${describe(branding, records)}`;
      answer(options, { ...presentBranding(branding), dns_records: records }, text);
    });
}

function showCommand(): Command {
  return new Command('show')
    .description("Show an account's branding and the DNS records it needs.")
    .requiredOption('--account <account_id>', 'the account whose branding this is')
    .option('--json', 'print one JSON document: { account_id, display_name, …, dns_records: […] }')
    .action(async (options: AccountOptions) => {
      const { branding, records } = await withDatabase((context) => loadBranding(context, options.account));
      answer(options, { ...presentBranding(branding), dns_records: records }, describe(branding, records));
    });
}

function checkCommand(): Command {
  return new Command('check')
    .description("Check that the DNS records an account's branding needs are in place.")
    .requiredOption('--account <account_id>', 'the account whose branding this is')
    .option('--json', 'print one JSON document: { account_id, ok, dns_records: [{ …, state, found }] }')
    .addHelpText(
      'after',
      "\nExit status: 0 if every required record is right; 1 if one is missing, wrong, or can't be looked up.",
    )
    .action(async (options: AccountOptions) => {
      const { branding, records } = await withDatabase((context) => loadBranding(context, options.account));
      const checked = await checkRecords(records, createDnsResolver());
      const ok = checked.every(({ state, required }) => state === 'ok' || !required);
      const text = checked.length > 0 ? describeChecks(checked) : 'This branding needs no DNS records.';
      answer(options, { account_id: branding.accountId, ok, dns_records: checked }, text);
      if (!ok) process.exitCode = 1;
    });
}

function verifyCommand(): Command {
  return new Command('verify')
    .description(
      "Verify that an account's tracking host points to this service. Links use the host once it's verified.",
    )
    .requiredOption('--account <account_id>', 'the account whose branding this is')
    .option('--json', 'print one JSON document: { account_id, tracking_host, verified, verified_at, reason }')
    .addHelpText('after', "\nExit status: 0 if the host points to this service; 1 if it doesn't, or none is set.")
    .action(async (options: AccountOptions) => {
      const document = await withDatabase((context) => verify(context, options.account));
      const { tracking_host: host, reason } = document;
      answer(options, document, reason ?? `${host} points to this service. Links now use it.`);
      if (reason !== null) process.exitCode = 1;
    });
}

async function verify({ db, config }: CommandContext, accountId: string) {
  await requireAccount(db, accountId);
  const { trackingHost: host, trackingHostVerifiedAt: verifiedAt } = await findBranding(db, accountId);
  if (host === null) throw new CommandFailure(`Account ${accountId} has no tracking host.`);
  const tokens = createTokenSealer(await readTokenSecrets(db, config));
  const publicHttp = createPublicHttp({ allowPrivate: config.webhookAllowPrivate });
  try {
    const needs = { db, config, tokens, publicHttp, clock: systemClock };
    const { reason, ...check } = await verifyHost(needs, { accountId, host, verifiedAt });
    return {
      account_id: accountId,
      tracking_host: host,
      verified: check.verifiedAt !== null,
      verified_at: momentText(check.verifiedAt),
      reason,
    };
  } finally {
    publicHttp.close();
  }
}

function describe(branding: Branding, records: Parameters<typeof describeRecords>[0]): string {
  const text = describeBranding(branding);
  return records.length === 0 ? text : `${text}\n\nSet these DNS records:\n${describeRecords(records)}`;
}

async function loadBranding({ db, config }: { db: Db; config: Config }, accountId: string) {
  await requireAccount(db, accountId);
  const branding = await findBranding(db, accountId);
  return { branding, records: await listRecords(branding, config, createDnsResolver()) };
}

async function setBranding(
  db: Db,
  config: Config,
  accountId: string,
  changes: BrandingChanges,
): Promise<{ branding: Branding; changed: boolean }> {
  await requireAccount(db, accountId);
  const { trackingHost } = changes;
  if (trackingHost && [config.baseUrl, config.trackingUrl].some((url) => new URL(url).hostname === trackingHost)) {
    throw new CommandFailure(
      `${trackingHost} is the service's own host. Choose a host name that only this account uses.`,
    );
  }
  try {
    const changed = await recordChange(
      { db, clock: systemClock },
      { sessionId: commandLineUser() },
      (tx, at) => saveBranding(tx, accountId, changes, at),
      () => ({ action: 'account.set_brand', target: accountId, details: { set: Object.keys(changes) } }),
    );
    return { branding: await findBranding(db, accountId), changed };
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== UNIQUE_VIOLATION) throw error;
    throw new CommandFailure(`The tracking host ${trackingHost} belongs to another account.`, { cause: error });
  }
}

/** The options of `branding set`, and the fields they set; an empty text clears a field. */
const FIELDS: readonly { field: keyof BrandingChanges; option: Option }[] = [
  text('displayName', '--display-name <s>', 'name shown in email, SMS and on the tracking site', parseDisplayName),
  text('logoUrl', '--logo-url <url>', 'https URL of a logo for receipts and the tracking site', parsePublicLink),
  text('fromAddress', '--from <address>', "sender of the account's email", parseMailAddress),
  text('bccAddress', '--bcc <address>', 'address that gets a blind copy (Bcc) of every receipt', parseMailAddress),
  {
    field: 'favicon',
    option: new Option('--favicon <file>', 'PNG or ICO file, 16×16 pixels, 64 KiB at most'),
  },
  text('trackingHost', '--tracking-host <host>', "host name of this account's own tracking site", parseTrackingHost),
  text('color', '--color <#rrggbb>', 'color of buttons and accents on the tracking site and in email', parseColor),
  text('helpUrl', '--help-url <url>', 'https page where customers get help', parsePublicLink),
  text('helpEmail', '--help-email <address>', 'email address where customers get help', parseMailAddress),
  text('helpPhone', '--help-phone <phone>', 'phone number that customers call for help', parseHelpPhone),
  text('termsUrl', '--terms-url <url>', 'https page of your terms of service', parsePublicLink),
  text('privacyUrl', '--privacy-url <url>', 'https page of your privacy policy', parsePublicLink),
  {
    field: 'customerCancel',
    option: new Option('--customer-cancel <on|off>', 'let customers cancel on the tracking page').argParser(parseOnOff),
  },
  text(
    'reorderUrl',
    '--reorder-url <url>',
    'https link to order again; can contain {order_id}, {store_id} and {customer_order_id}',
    parseReorderUrl,
  ),
  {
    field: 'onItsWay',
    option: new Option('--on-its-way <channels>', 'tell customers when a driver has the order').choices(EXTRA_CHANNELS),
  },
  {
    field: 'delivered',
    option: new Option('--delivered <channels>', 'tell customers when the order is delivered').choices(EXTRA_CHANNELS),
  },
];

function text(
  field: keyof BrandingChanges,
  flags: string,
  description: string,
  parse: (given: string) => Parsed<string>,
) {
  const option = new Option(flags, description).argParser((given) => {
    if (given.trim() === '') return '';
    const parsed = parse(given);
    if ('fault' in parsed) throw new InvalidArgumentError(parsed.fault);
    return parsed.value;
  });
  return { field, option };
}

/** The fields to change. Reads the favicon from its file; a refused favicon ends the command as misuse. */
async function brandingChanges(options: Readonly<Record<string, unknown>>, command: Command): Promise<BrandingChanges> {
  const given = FIELDS.map(({ field, option }) => [field, options[option.attributeName()]] as const);
  const changes: BrandingChanges = Object.fromEntries(
    given.filter(([, value]) => value !== undefined).map(([field, value]) => [field, value === '' ? null : value]),
  );
  if (typeof options.favicon === 'string') changes.favicon = await readFavicon(options.favicon, command);
  if (Object.keys(changes).length === 0) command.error('pass at least one field, such as --display-name');
  return changes;
}

async function readFavicon(file: string, command: Command): Promise<Branding['favicon']> {
  if (file === '') return null;
  const refuse = (reason: string) => command.error(`option '--favicon <file>' value '${file}' is invalid. ${reason}`);
  // Reads one byte over the limit, to detect files that are too large.
  const bytes = await buffer(createReadStream(file, { end: MAX_FAVICON_BYTES })).catch((error) =>
    refuse(`It cannot be read (${error.code}).`),
  );
  const parsed = parseFavicon(bytes);
  return 'fault' in parsed ? refuse(parsed.fault) : parsed.value;
}

function presentBranding({ favicon, ...branding }: Branding) {
  return { ...jsonDocument(branding), favicon: favicon && { type: favicon.type, size: favicon.bytes.length } };
}

function describeBranding(branding: Branding): string {
  const { favicon } = branding;
  const rows = [
    ['Display name', branding.displayName ?? `${DEFAULT_DISPLAY_NAME} (default)`],
    ['Logo', branding.logoUrl ?? '-'],
    ['Sender', branding.fromAddress ?? '-'],
    ['Blind copy', branding.bccAddress ?? '-'],
    ['Favicon', favicon ? `${favicon.type}, ${favicon.bytes.length} bytes` : '-'],
    ['Tracking host', hostInWords(branding)],
    ['Color', branding.color ?? '-'],
    [
      'Help',
      [branding.helpUrl, branding.helpEmail, branding.helpPhone].filter((way) => way !== null).join(', ') || '-',
    ],
    ['Terms', branding.termsUrl ?? '-'],
    ['Privacy', branding.privacyUrl ?? '-'],
    ['Customers cancel', branding.customerCancel ? 'on' : 'off'],
    ['Reorder link', branding.reorderUrl ?? '-'],
    ['On its way', branding.onItsWay],
    ['Delivered', branding.delivered],
  ];
  return alignedTable(['ACCOUNT', branding.accountId], rows);
}

function hostInWords({ trackingHost, trackingHostVerifiedAt }: Branding): string {
  if (trackingHost === null) return '-';
  const since = momentText(trackingHostVerifiedAt);
  return `${trackingHost} (${since === null ? "not verified, so links don't use it yet" : `verified ${since}`})`;
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
