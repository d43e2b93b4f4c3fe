import { availableParallelism } from 'node:os';
import { createTypoMatcher } from 'doorstep/search-engine/text';
import { parseAddress } from '../lib/networks.ts';
import type { Settings, SettingWarning } from './config.ts';
import type { Environment } from './plugin-settings.ts';

/*
 * Settings that are valid and probably wrong, such as a base URL without TLS or a name that is one letter off, each as
 * a sentence for the log, `doorstep check` and the operator.
 */

type Context = {
  config: Settings;
  /** Returns the text of a setting; undefined if it is absent. */
  text(name: string): string | undefined;
  /** Whether the service is for browsers of other machines. */
  isPublic: boolean;
};
/** A warning about a setting: `text` is shown if the rule `applies`. */
type Rule = { setting: string; text: string; applies(context: Context): boolean };

const PRIVATE_NAME = /^[^.]+$|\.(?:local|localhost|internal|test|invalid|example|home\.arpa)$/i;

/** Whether a host is reached over the internet: it is neither a private address nor a name of a local network. */
function isPublicHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  const address = parseAddress(name);
  return address ? address.range() === 'unicast' : !PRIVATE_NAME.test(name);
}

const hostOf = (url: string | undefined) => URL.parse(url ?? '')?.hostname ?? '';
const isPlainAndPublic = (url: string | undefined) => (url?.startsWith('http:') ?? false) && isPublicHost(hostOf(url));
const parameterOf = (url: string | undefined, name: string) => URL.parse(url ?? '')?.searchParams.get(name);
const isRemoteDatabase = ({ databaseUrl }: Settings) =>
  databaseUrl !== undefined &&
  !parameterOf(databaseUrl, 'host')?.startsWith('/') &&
  // A name without a dot is on the same machine or network of containers.
  !/^(?:[^.:%]*|127\..*|\[::1\]|%2f.*)$/i.test(hostOf(databaseUrl));
const isWeak = (secret: string | undefined) =>
  secret !== undefined && (new Set(secret).size < 8 || /change.?me|example|secret.*secret|password/i.test(secret));
const PLACEHOLDER = /(?:^|\.)example\.(?:com|org|net)$/i;
const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** Shortest prefix of a network that is not suspicious: shorter ones are half of the internet or more. */
const MIN_PREFIX = 2;

/** Settings whose values are secrets; no two should be equal. */
const SECRETS = /(?:SECRET|SECRET_PREVIOUS|AUTH_TOKEN|SECRET_KEY|SIGNING_SECRET)$/;

const RULES: readonly Rule[] = [
  rule('STRIPE_WEBHOOK_SECRET', 'is not set, so refunds and disputes at Stripe are not learned', ({ text }) =>
    Boolean(text('STRIPE_SECRET_KEY') && !text('STRIPE_WEBHOOK_SECRET')),
  ),
  rule('STRIPE_SECRET_KEY', 'is not set, so STRIPE_WEBHOOK_SECRET does nothing', ({ text }) =>
    Boolean(text('STRIPE_WEBHOOK_SECRET') && !text('STRIPE_SECRET_KEY')),
  ),
  rule('STRIPE_SECRET_KEY', 'is a test key, so live orders on this public host charge nobody', ({ text, isPublic }) =>
    Boolean(isPublic && text('STRIPE_SECRET_KEY')?.includes('_test_')),
  ),
  rule(
    'PAYMENT_GATEWAY',
    'is not chosen, so live orders on this public host cannot be paid',
    ({ config, isPublic }) => isPublic && config.paymentGateway === undefined,
  ),
  rule(
    'UCP',
    'is on although BASE_URL is not https, so no platform accepts the profile',
    ({ config }) => config.ucp !== 'off' && !config.baseUrl.startsWith('https:'),
  ),
  rule(
    'ACCEPT_RAW_CARDS',
    'is true, so card numbers pass through this service, which is in scope of PCI DSS SAQ D; set it to false, and let apps use POST /payment/setup or payment tokens',
    ({ config }) => config.acceptRawCards && config.paymentGateway !== undefined,
  ),
  rule('MAIL_FROM', 'is not set, so mail comes from doorstep@localhost, which servers refuse', ({ config, text }) =>
    Boolean(config.mailer && !text('MAIL_FROM')),
  ),
  rule('SMTP_URL', 'is not set, so no mail leaves although MAIL_FROM is set', ({ config, text }) =>
    Boolean(text('MAIL_FROM') && !config.mailer),
  ),
  rule('SMTP_URL', 'ignores TLS, so its password crosses the network in clear text', ({ text }) =>
    Boolean(URL.parse(text('SMTP_URL') ?? '')?.password && parameterOf(text('SMTP_URL'), 'ignoreTLS')),
  ),
  rule('TRUST_PROXY', 'trusts everybody, so a client can name any address as its own', ({ config }) =>
    config.trustProxy.some(([, prefix]) => prefix < MIN_PREFIX),
  ),
  rule('TRUST_PROXY', 'is not set although only a proxy can reach this node, so visitors share its limits', (c) =>
    Boolean(
      c.isPublic &&
        c.config.trustProxy.length === 0 &&
        !isPublicHost(c.config.host) &&
        c.config.host !== '0.0.0.0' &&
        c.config.host !== '::',
    ),
  ),
  rule('BASE_URL', 'is http on a public host, so keys and sessions cross the internet in clear text', ({ config }) =>
    isPlainAndPublic(config.baseUrl),
  ),
  rule(
    'BASE_URL',
    'is not set although other machines reach this node, so links lead to 127.0.0.1',
    ({ config, text }) =>
      !text('BASE_URL') && (config.trustProxy.length > 0 || config.host === '0.0.0.0' || config.host === '::'),
  ),
  rule('BASE_URL', 'is a placeholder of the documents', ({ config }) => PLACEHOLDER.test(hostOf(config.baseUrl))),
  rule('TRACKING_URL', 'is http on a public host', ({ config, text }) =>
    Boolean(text('TRACKING_URL') && isPlainAndPublic(config.trackingUrl)),
  ),
  rule('TOKEN_SECRET', 'is easy to guess; make one with `openssl rand -hex 32`', ({ config }) =>
    isWeak(config.tokenSecret),
  ),
  rule('TOKEN_SECRET_PREVIOUS', 'is easy to guess; end its rotation', ({ config }) =>
    isWeak(config.tokenSecretPrevious),
  ),
  rule(
    'TOKEN_SECRET_PREVIOUS',
    'is the same as TOKEN_SECRET',
    ({ config }) => config.tokenSecret !== undefined && config.tokenSecret === config.tokenSecretPrevious,
  ),
  rule('TOKEN_SECRET_PREVIOUS', 'is set without TOKEN_SECRET', ({ text }) =>
    Boolean(text('TOKEN_SECRET_PREVIOUS') && !text('TOKEN_SECRET')),
  ),
  rule(
    'TOKEN_SECRET',
    'is not set although other nodes share DATABASE_URL, so backups contain the secret',
    (c) => c.isPublic && c.config.databaseUrl !== undefined && c.config.tokenSecret === undefined,
  ),
  rule(
    'WEBHOOK_ALLOW_PRIVATE',
    'lets accounts of a public host call private addresses',
    ({ config, isPublic }) => isPublic && config.webhookAllowPrivate,
  ),
  rule('WEBHOOK_RETRY_SCHEDULE', 'descends: each pause should be at least as long as the one before', ({ config }) =>
    config.webhookRetrySchedule.some((seconds, nth, all) => seconds < (all[nth - 1] ?? 0)),
  ),
  rule(
    'RATE_LIMIT_PER_MINUTE',
    'is 0 on a public host, so one client may use it up',
    ({ config, isPublic }) => isPublic && config.rateLimitPerMinute === 0,
  ),
  rule(
    'DATABASE_URL',
    'has no sslmode, so data crosses the network in clear text; add sslmode=verify-full',
    (c) => isRemoteDatabase(c.config) && !parameterOf(c.config.databaseUrl, 'sslmode'),
  ),
  rule(
    'DATABASE_URL',
    'turns TLS or its verification off; use sslmode=verify-full',
    ({ config }) =>
      isRemoteDatabase(config) && /^(?:disable|no-verify)$/.test(parameterOf(config.databaseUrl, 'sslmode') ?? ''),
  ),
  rule('DATABASE_URL', `has an unknown sslmode; it is one of ${SSL_MODES.join(', ')}`, ({ config }) => {
    const mode = parameterOf(config.databaseUrl, 'sslmode');
    return mode !== null && mode !== undefined && !SSL_MODES.includes(mode);
  }),
  rule(
    'LOG_LEVEL',
    'hides warnings and errors',
    ({ config, isPublic }) => isPublic && (config.logLevel === 'silent' || config.logLevel === 'fatal'),
  ),
  rule(
    'ORDER_CONFIRM_TIMEOUT_MINUTES',
    'cancels live orders before a store can read them',
    ({ config, isPublic }) => isPublic && config.orderConfirmTimeoutMinutes < 2,
  ),
  rule(
    'DRAIN_SECONDS',
    'is under 2 behind a proxy, which has no time to choose another node',
    ({ config }) => config.trustProxy.length > 0 && config.drainSeconds < 2,
  ),
  rule(
    'PLACES_FILE',
    'is not read, because another directory of places is configured, or `open-data` is off',
    ({ text, config }) => text('PLACES_FILE') !== undefined && config.placeDirectory !== 'local',
  ),
  rule('SMS_COUNTRIES', 'does nothing without TWILIO_ACCOUNT_SID', ({ text, config }) =>
    Boolean(text('SMS_COUNTRIES') && !config.smsSender),
  ),
  rule(
    'TWILIO_ACCOUNT_SID',
    'does not look like one of Twilio, AC and 32 hexadecimal digits',
    ({ text }) => !/^(?:AC[0-9a-f]{32})?$/i.test(text('TWILIO_ACCOUNT_SID') ?? ''),
  ),
  rule('TWILIO_FROM', 'is a number without + and country', ({ text }) => /^\d/.test(text('TWILIO_FROM') ?? '')),
  rule('GEOCODER', 'sends addresses of customers over http', ({ config }) => isPlainAndPublic(config.geocoder?.url)),
  rule('PHOTOS_S3_URL', 'is http on a public host', ({ text }) => isPlainAndPublic(text('PHOTOS_S3_URL'))),
  rule('OTEL_EXPORTER_OTLP_ENDPOINT', 'ends in /v1/traces, which is added once more', ({ text }) =>
    /\/v1\/traces\/*$/.test(text('OTEL_EXPORTER_OTLP_ENDPOINT') ?? ''),
  ),
  rule(
    'WORKERS',
    'is more than the processors of this machine',
    ({ config }) => config.workers > availableParallelism(),
  ),
];

function rule(setting: string, text: string, applies: Rule['applies']): Rule {
  return { setting, text, applies };
}

/** Finds settings that are valid but probably wrong. `known` are the names of all settings. */
export function findSettingWarnings(env: Environment, config: Settings, known: ReadonlySet<string>): SettingWarning[] {
  const text = (name: string) => env[name]?.trim() || undefined;
  const context: Context = { config, text, isPublic: isPublicHost(hostOf(config.baseUrl)) };
  const wrong = RULES.filter(({ applies }) => applies(context));
  return [
    ...wrong.map(({ setting, text: sentence }) => ({ setting, text: `${setting} ${sentence}.` })),
    ...repeatedSecrets(text, known),
    ...unknownNames(env, known),
  ];
}

function repeatedSecrets(text: Context['text'], known: ReadonlySet<string>): SettingWarning[] {
  const given = [...known].filter((name) => SECRETS.test(name) && text(name) && name !== 'TOKEN_SECRET_PREVIOUS');
  return given.flatMap((setting, nth) => {
    const other = given.slice(0, nth).find((name) => text(name) === text(setting));
    return other === undefined ? [] : [{ setting, text: `${setting} is the same as ${other}.` }];
  });
}

const { isWithinTypos } = createTypoMatcher();

/** Shorter names are not compared, because they resemble too many variables of other programs. */
const MIN_NAME = 6;

/** Finds names that resemble a setting's: a typing error, or the words in another order. */
function unknownNames(env: Environment, known: ReadonlySet<string>): SettingWarning[] {
  const others = Object.keys(env).filter((name) => name.length >= MIN_NAME && !known.has(name) && env[name]);
  return others.flatMap((setting) => {
    const meant = [...known].find((name) => name.length >= MIN_NAME && resembles(name, setting));
    return meant === undefined ? [] : [{ setting, text: `${setting} is no setting. Do you mean ${meant}?` }];
  });
}

function resembles(name: string, other: string): boolean {
  const words = (text: string) =>
    text
      .toUpperCase()
      .split(/[_\W]+/)
      .map((word) => word.replace(/IES$/, 'Y').replace(/S$/, ''));
  const sorted = (text: string) => words(text).sort().join('_');
  if (sorted(name) === sorted(other) || words(name).join('') === words(other).join('')) return true;
  return isWithinTypos(name, other, name.length < 8 ? 1 : 2);
}
