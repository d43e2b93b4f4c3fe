import { join } from 'node:path';
import { parseNetworks } from '../lib/networks.ts';
import {
  amountsOrUnlimited,
  contactUri,
  countryCodes,
  hostInUrl,
  httpUrl,
  integerBetween,
  listenAddress,
  mailAddress,
  mapTiles,
  numberBetween,
  onOrOff,
  postgresUrl,
  registrationNumbers,
  sandboxPace,
  secondsList,
  trueOrFalse,
} from '../lib/parse-setting.ts';
import { isIdOf } from '../lib/random-id.ts';
import {
  CHOICES,
  type Environment,
  findSharedSettings,
  type PluginOffer,
  type PluginSettings,
  readGroup,
  readPlugins,
} from './plugin-settings.ts';

/** Every setting, as read once at the start. */
export type Settings = ReturnType<typeof readConfig>;

export type Config = Settings & {
  /** Settings that are valid and probably wrong. */
  warnings: readonly SettingWarning[];
};

/** A setting that is valid and probably wrong, in a sentence that never repeats a secret. */
export type SettingWarning = { setting: string; text: string };

const PLAIN_URL = 'an http or https URL without a query';

const OPENID = {
  issuer: { expected: 'an https URL without a query', parse: issuerUrl },
  clientId: { expected: 'a client of the issuer' },
  clientSecret: { expected: 'its secret' },
} as const satisfies PluginSettings;

/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (docs/webhooks.md). */
const WEBHOOK_RETRY_SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Default daily budgets of an account (docs/limits.md#budgets). */
const BUDGETS = {
  sms: 2000,
  emails: 10_000,
  unpaid_orders: 1000,
  directory_lookups: 1000,
  sandbox_directory_lookups: 100,
  unplaced_orders: 50_000,
  unplaced_bytes: 250_000_000,
};
export type BudgetKind = keyof typeof BUDGETS;
export const BUDGET_KINDS = Object.keys(BUDGETS) as BudgetKind[];

/** Beginnings of settings that are read in groups, and settings that are read elsewhere. */
const OTHER_SETTINGS = ['OIDC', 'PLUGINS', 'DOORSTEP_URL'];

const PER_HOUR = 'a whole number from 10 to 10000000';

/** Maximum workers: the processors of a large machine. */
const GIGABYTE = 1e9;
export const MAX_WORKERS = 64;
const UCP = ['off', 'released'] as const;
const TAX_FALLBACKS = ['refuse', 'built-in'] as const;
const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string) =>
    values.find((one) => one === text);
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Lists every invalid setting in a sentence that names it and never repeats its value. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Reads all settings once, including the plug-ins'; an empty value counts as absent. Throws ConfigError naming all
 * errors at once, those `found` before included.
 */
export function readConfig(env: Environment, plugins: readonly PluginOffer[], found: readonly string[] = []) {
  const faults: string[] = [...found];
  const names: string[] = [...CHOICES, ...OTHER_SETTINGS];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T => {
    names.push(name);
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (value === undefined) faults.push(`${name} must be ${expected}.`);
    return value ?? fallback;
  };
  const text = (value: string) => value;
  const accountId = (value: string) => (isIdOf('acc_', value) ? value : undefined);
  const secret = (value: string) => (value.length >= 16 ? value : undefined);

  const host = read('HOST', '127.0.0.1', text, 'an address to listen on');
  const port = read('PORT', 8080, integerBetween(0, 65_535), 'a port between 0 and 65535');
  const baseUrl = read('BASE_URL', `http://${hostInUrl(host)}:${port}`, httpUrl, PLAIN_URL);
  const chosen = readPlugins(env, plugins, faults);
  const dataDir = read('DATA_DIR', '.data', text, 'a folder');
  const databaseUrl = read(
    'DATABASE_URL',
    undefined,
    postgresUrl,
    'a postgres:// URL, whose require_auth lists scram-sha-256, md5 or password',
  );
  const config = {
    host,
    port,
    /** Number of worker threads that share the port of `serve`. */
    workers: read('WORKERS', 1, integerBetween(1, MAX_WORKERS), `a whole number from 1 to ${MAX_WORKERS}`),
    /** Seconds after SIGTERM where the node answers requests, but no longer says that it is ready. */
    drainSeconds: read('DRAIN_SECONDS', 5, numberBetween(0, 600), 'seconds, up to 600'),
    baseUrl,
    dataDir,
    databaseUrl,
    /** Folder for this node's search snapshot, in DATA_DIR; null (no DATA_DIR) disables snapshots. */
    searchSnapshotDir: databaseUrl === undefined || env.DATA_DIR?.trim() ? join(dataDir, 'search') : null,
    /** Maximum bytes of product indexes in that folder. */
    productIndexBytes:
      GIGABYTE * read('PRODUCT_INDEX_GB', 20, numberBetween(0.1, 10_000), 'gigabytes, from 0.1 to 10000'),
    trackingUrl: read('TRACKING_URL', baseUrl, httpUrl, PLAIN_URL),
    logLevel: read(
      'LOG_LEVEL',
      'info',
      (value) => LOG_LEVELS.find((l) => l === value.toLowerCase()),
      LOG_LEVELS.join(', '),
    ),
    /** Whether the node acts on the outside world; false for a copy of a service. */
    outside: read('OUTSIDE', true, onOrOff, 'on or off'),
    tokenSecret: read('TOKEN_SECRET', undefined, secret, 'at least 16 characters'),
    /** The previous secret during a rotation: tokens sealed with it still open. */
    tokenSecretPrevious: read('TOKEN_SECRET_PREVIOUS', undefined, secret, 'at least 16 characters'),
    /** Requests a minute for each key, and for each client without a key; 0 lifts both limits. */
    rateLimitPerMinute: read(
      'RATE_LIMIT_PER_MINUTE',
      6000,
      integerBetween(0, 10_000_000),
      'a whole number from 0 (no limit) to 10000000',
    ),
    /** Hourly limits of each visitor of a page with a publishable key. */
    visitorsPerHour: {
      requests: read('VISITOR_REQUESTS_PER_HOUR', 1200, integerBetween(10, 10_000_000), PER_HOUR),
      lookups: read('VISITOR_LOOKUPS_PER_HOUR', 60, integerBetween(10, 10_000_000), PER_HOUR),
      carts: read('VISITOR_CARTS_PER_HOUR', 120, integerBetween(10, 10_000_000), PER_HOUR),
    },
    /** Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
    trustProxy: read('TRUST_PROXY', [], parseNetworks, 'IP addresses or networks, separated by commas'),
    /** Separate listener for metrics; undefined serves them to this machine on the main port. */
    metrics: read('METRICS_PORT', undefined, listenAddress, 'a port between 0 and 65535, or ADDRESS:PORT'),
    /** Whether the public port serves the documents and the API reference. */
    publicDocs: read('PUBLIC_DOCS', true, trueOrFalse, 'true or false'),
    /** How much of the Universal Commerce Protocol is served. */
    ucp: read('UCP', 'off', oneOf(UCP), UCP.join(', ')),
    /** The account whose shop platforms of that protocol find at BASE_URL. */
    ucpAccount: read('UCP_ACCOUNT', undefined, accountId, 'the ID of an account'),
    /** Seconds between simulated steps of a sandbox order; 'manual': only when advanced. */
    sandboxPace: read('SANDBOX_PACE', 15, sandboxPace, 'a number of seconds from 0 to 86400, or manual'),
    orderConfirmTimeoutMinutes: read(
      'ORDER_CONFIRM_TIMEOUT_MINUTES',
      15,
      numberBetween(0.01, 1440),
      'minutes, up to 1440',
    ),
    /** Whether live keys may send raw card numbers. Payment tokens and the gateway's card page are always allowed. */
    acceptRawCards: read('ACCEPT_RAW_CARDS', true, trueOrFalse, 'true or false'),
    /** Whether a store without an agreement receives no live order. */
    requireAgreement: read('REQUIRE_AGREEMENT', false, trueOrFalse, 'true or false'),
    /** Whether statements show stores the customers' prices and the accounts' additions. */
    showStoresAddedFees: read('SHOW_STORES_ADDED_FEES', false, trueOrFalse, 'true or false'),
    /** The operator's registration numbers for taxes, for receipts and statements where it remits them. */
    taxIds: read('TAX_IDS', [], registrationNumbers, 'at most 8 registration numbers, separated by commas'),
    /** Whether a live order that the service of `tax` does not compute is refused. */
    taxFallback: read('TAX_FALLBACK', 'refuse', oneOf(TAX_FALLBACKS), TAX_FALLBACKS.join(' or ')),
    /** A GeoJSON file of places, for look-ups where no plug-in has a directory. */
    /**
     * A font in GNU Unifont's .hex format, for characters that ticket printers lack. Without it they print as question
     * marks.
     */
    printerFont: read('PRINTER_FONT', undefined, text, 'a file'),
    /** Where to report a vulnerability; by default the address of `mailFrom`. */
    securityContact: read('SECURITY_CONTACT', undefined, contactUri, 'a mailto: address or an https:// URL'),
    /** The sender of mail for accounts without their own address. */
    mailFrom: read('MAIL_FROM', 'Doorstep <doorstep@localhost>', mailAddress, 'an email address, or NAME <ADDRESS>'),
    /** Single sign-on of operators by OpenID Connect. */
    openid: readGroup(env, { prefix: 'OIDC_', settings: OPENID }, faults),
    ...chosen,
    /** Countries that receive SMS, as ISO 3166 codes. */
    smsCountries: read('SMS_COUNTRIES', ['US', 'CA'], countryCodes, 'ISO codes of countries, separated by commas'),
    /** How many days ended webhook calls, messages and notices are kept. */
    recordsKeepDays: read('RECORDS_KEEP_DAYS', 90, numberBetween(1, 3650), 'days from 1 to 3650'),
    /** How many days after an order's end its personal data is kept; 0 keeps it. */
    personalDataDays: read('PERSONAL_DATA_DAYS', 730, integerBetween(0, 36_500), 'whole days from 0 to 36500'),
    /** Default daily budgets (UTC) of an account, unless it has limits of its own. */
    dailyBudgets: {
      ...BUDGETS,
      ...read(
        'DAILY_BUDGETS',
        {},
        amountsOrUnlimited(BUDGET_KINDS),
        `a JSON object of whole numbers from 0, or "unlimited", by ${BUDGET_KINDS.join(', ')}`,
      ),
    },
    /** Seconds before each further attempt of a webhook call; after the last one the call has failed. */
    webhookRetrySchedule: read(
      'WEBHOOK_RETRY_SCHEDULE',
      WEBHOOK_RETRY_SCHEDULE,
      secondsList,
      'seconds, separated by commas',
    ),
    /** Whether webhooks may use http and private addresses, for development. */
    webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', false, trueOrFalse, 'true or false'),
    /** Tile server of the tracking map; undefined draws a sketch without streets. */
    mapTiles: read(
      'MAP_TILES',
      undefined,
      mapTiles,
      'a .pmtiles file, or an http or https URL of one or with {z}, {x} and {y}',
    ),
  };
  faults.push(...findSharedSettings(plugins, names));
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return config;
}

/** The issuer gets the client's secret, so it must be https, or on this machine. */
function issuerUrl(text: string): string | undefined {
  const url = httpUrl(text) && URL.parse(text);
  return url && (url.protocol === 'https:' || url.hostname === '127.0.0.1') ? text : undefined;
}
