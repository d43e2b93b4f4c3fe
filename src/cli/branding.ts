import { Command } from 'commander';
import type { Branding, BrandingChanges } from '../accounts/branding.ts';
import { findBranding, saveBranding } from '../accounts/brandings.db.ts';
import { checkRecords, listRecords } from '../accounts/dns-records.flow.ts';
import { verifyHost } from '../accounts/verify-host.flow.ts';
import { createDnsResolver } from '../adapters/dns/resolver.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { readTokenSecrets } from '../db/token-secret.db.ts';
import { systemClock } from '../lib/clock.ts';
import { createPublicHttp } from '../lib/public-http.ts';
import { createTokenSealer } from '../lib/tokens.ts';
import { describeBranding, describeChecks, describeRecords, presentBranding } from './branding-answer.ts';
import { BRANDING_OPTIONS, type BrandingOptions, changesOf } from './branding-options.ts';
import { CommandFailure } from './failure.ts';
import { answer, type OutputOptions } from './output.ts';
import { requireAccount } from './require-account.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

const UNIQUE_VIOLATION = '23505';

type AccountOptions = OutputOptions & { account: string };

export function brandingCommand(): Command {
  return new Command('branding')
    .description(
      'Manage what the customers of an account see: its name, logo, colour, addresses, help and tracking host.',
    )
    .addCommand(setCommand())
    .addCommand(showCommand())
    .addCommand(checkCommand())
    .addCommand(verifyCommand());
}

function setCommand(): Command {
  const command = new Command('set')
    .description('Set fields of a branding and print the DNS records to set. An empty value clears a field.')
    .requiredOption('--account <account_id>', 'the account of the branding');
  for (const option of BRANDING_OPTIONS) command.addOption(option);
  return command
    .option('--json', 'answer with one JSON document: { account_id, display_name, …, dns_records: […] }')
    .action(async (options: AccountOptions & BrandingOptions) => {
      const changes = await changesOf(options, command);
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
    .description('Show a branding and the DNS records that it needs.')
    .requiredOption('--account <account_id>', 'the account of the branding')
    .option('--json', 'answer with one JSON document: { account_id, display_name, …, dns_records: […] }')
    .action(async (options: AccountOptions) => {
      const { branding, records } = await withDatabase((context) => load(context, options.account));
      answer(options, { ...presentBranding(branding), dns_records: records }, describe(branding, records));
    });
}

function checkCommand(): Command {
  return new Command('check')
    .description('Look up in DNS the records that a branding needs.')
    .requiredOption('--account <account_id>', 'the account of the branding')
    .option('--json', 'answer with one JSON document: { account_id, ok, dns_records: [{ …, state, found }] }')
    .addHelpText(
      'after',
      '\nExit status: 0 every required record is right, 1 a required record is missing, wrong or cannot be looked up.',
    )
    .action(async (options: AccountOptions) => {
      const { branding, records } = await withDatabase((context) => load(context, options.account));
      const checked = await checkRecords(records, createDnsResolver());
      const ok = checked.every(({ state, required }) => state === 'ok' || !required);
      const text = checked.length > 0 ? describeChecks(checked) : 'This branding needs no DNS records.';
      answer(options, { account_id: branding.accountId, ok, dns_records: checked }, text);
      if (!ok) process.exitCode = 1;
    });
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Ask the tracking host of an account whether it leads to this service. Links use a verified host.')
    .requiredOption('--account <account_id>', 'the account of the branding')
    .option('--json', 'answer with one JSON document: { account_id, tracking_host, verified, verified_at, reason }')
    .addHelpText('after', '\nExit status: 0 the host leads to this service, 1 it does not, or there is no host.')
    .action(async (options: AccountOptions) => {
      const document = await withDatabase((context) => verify(context, options.account));
      const { tracking_host: host, reason } = document;
      answer(options, document, reason ?? `${host} leads to this service: links begin with it.`);
      if (reason !== null) process.exitCode = 1;
    });
}

async function verify({ db, config }: CommandContext, accountId: string) {
  await requireAccount(db, accountId);
  const { trackingHost: host, trackingHostVerifiedAt: verifiedAt } = await findBranding(db, accountId);
  if (host === null) throw new CommandFailure(`The account ${accountId} has no tracking host.`);
  const tokens = createTokenSealer(await readTokenSecrets(db, config));
  const publicHttp = createPublicHttp({ allowPrivate: config.webhookAllowPrivate });
  try {
    const needs = { db, config, tokens, publicHttp, clock: systemClock };
    const { reason, ...check } = await verifyHost(needs, { accountId, host, verifiedAt });
    return {
      ...{ account_id: accountId, tracking_host: host, verified: check.verifiedAt !== null },
      ...{ verified_at: check.verifiedAt?.toString() ?? null, reason },
    };
  } finally {
    publicHttp.close();
  }
}

function describe(branding: Branding, records: Parameters<typeof describeRecords>[0]): string {
  const text = describeBranding(branding);
  return records.length === 0 ? text : `${text}\n\nSet these DNS records:\n${describeRecords(records)}`;
}

async function load({ db, config }: { db: Db; config: Config }, accountId: string) {
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
    throw new CommandFailure(`${trackingHost} is the host of the service: choose a host name for this account alone.`);
  }
  try {
    const changed = await saveBranding(db, accountId, changes, systemClock.now());
    return { branding: await findBranding(db, accountId), changed };
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== UNIQUE_VIOLATION) throw error;
    throw new CommandFailure(`The tracking host ${trackingHost} belongs to another account.`, { cause: error });
  }
}
