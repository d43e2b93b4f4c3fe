import { join } from 'node:path';
import { parseNetworks } from '../lib/networks.ts';
import {
  amountsOrUnlimited,
  contactUri,
  countryCodes,
  geocoderSetting,
  headerText,
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
  smtpUrl,
  stripeKey,
  trueOrFalse,
} from '../lib/parse-setting.ts';

/** Every setting, as read once at the start. */
export type Settings = ReturnType<typeof readConfig>;

export type Config = Settings & {
  /** Settings that are valid and probably wrong. */
  warnings: readonly SettingWarning[];
};

/** A setting that is valid and probably wrong, in a sentence that never repeats a secret. */
export type SettingWarning = { setting: string; text: string };

/** Environment names of an integration's settings. Its required settings are set together or not at all. */
export type SettingGroup<Required extends string = string, Optional extends string = never> = {
  required: Readonly<Record<Required, string>>;
  optional?: Readonly<Record<Optional, string>>;
};
export type SettingValues<Required extends string = string, Optional extends string = never> = Readonly<
  Record<Required, string>
> &
  Readonly<Partial<Record<Optional, string>>>;
export type PhotoBucketSetting = SettingValues<keyof (typeof PHOTO_BUCKET)['required']>;
type Company = { name: string; settings: SettingGroup<string, string> };

const TWILIO = {
  required: { accountSid: 'TWILIO_ACCOUNT_SID', authToken: 'TWILIO_AUTH_TOKEN', from: 'TWILIO_FROM' },
};

const OPENID = {
  required: { issuer: 'OIDC_ISSUER', clientId: 'OIDC_CLIENT_ID', clientSecret: 'OIDC_CLIENT_SECRET' },
};

const PHOTO_BUCKET = {
  required: {
    url: 'PHOTOS_S3_URL',
    region: 'PHOTOS_S3_REGION',
    accessKeyId: 'PHOTOS_S3_ACCESS_KEY_ID',
    secretAccessKey: 'PHOTOS_S3_SECRET_ACCESS_KEY',
  },
};

/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (docs/webhooks.md). */
const WEBHOOK_RETRY_SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Default daily budgets of an account (docs/operating.md#budgets). */
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

const PER_HOUR = 'a whole number from 10 to 10000000';

/** Maximum workers: the processors of a large machine. */
const GIGABYTE = 1e9;
export const MAX_WORKERS = 64;
const TAXES = ['built-in', 'stripe'] as const;
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

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings once, those of courier companies included; an empty value counts as absent. Throws ConfigError
 * naming all faults at once.
 */
export function readConfig(env: Environment, couriers: readonly Company[]) {
  const faults: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (value === undefined) faults.push(`${name} must be ${expected}.`);
    return value ?? fallback;
  };
  const text = (value: string) => value;
  const secret = (value: string) => (value.length >= 16 ? value : undefined);

  const host = read('HOST', '127.0.0.1', text, 'an address to listen on');
  const port = read('PORT', 8080, integerBetween(0, 65_535), 'a port between 0 and 65535');
  const plainUrl = 'an http or https URL without a query';
  const baseUrl = read('BASE_URL', `http://${hostInUrl(host)}:${port}`, httpUrl, plainUrl);
  const twilio = readGroup(env, TWILIO, faults);
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
    /** Seconds after SIGTERM in which the node answers requests, but no longer says that it is ready. */
    drainSeconds: read('DRAIN_SECONDS', 5, numberBetween(0, 600), 'seconds, up to 600'),
    baseUrl,
    dataDir,
    databaseUrl,
    /** Folder for this node's search snapshot, in DATA_DIR; null (no DATA_DIR) disables snapshots. */
    searchSnapshotDir: databaseUrl === undefined || env.DATA_DIR?.trim() ? join(dataDir, 'search') : null,
    /** Bytes of product indexes in that folder at most. */
    productIndexBytes:
      GIGABYTE * read('PRODUCT_INDEX_GB', 20, numberBetween(0.1, 10_000), 'gigabytes, from 0.1 to 10000'),
    trackingUrl: read('TRACKING_URL', baseUrl, httpUrl, plainUrl),
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
    /** What each visitor of a page with a publishable key may do in an hour. */
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
    /** Seconds between simulated steps of a sandbox order; 'manual': only when advanced. */
    sandboxPace: read('SANDBOX_PACE', 15, sandboxPace, 'a number of seconds from 0 to 86400, or manual'),
    orderConfirmTimeoutMinutes: read(
      'ORDER_CONFIRM_TIMEOUT_MINUTES',
      15,
      numberBetween(0.01, 1440),
      'minutes, up to 1440',
    ),
    stripeSecretKey: read(
      'STRIPE_SECRET_KEY',
      undefined,
      stripeKey,
      'a secret key (sk_live_…, sk_test_…) or a restricted key (rk_live_…, rk_test_…) from the Stripe dashboard',
    ),
    /** Signing secret of Stripe's webhooks; undefined refuses every webhook. */
    stripeWebhookSecret: read('STRIPE_WEBHOOK_SECRET', undefined, headerText, 'a signing secret'),
    /** Whether live keys may send raw card numbers. Payment tokens and the gateway's card page are always allowed. */
    acceptRawCards: read('ACCEPT_RAW_CARDS', true, trueOrFalse, 'true or false'),
    /** Whether a store without an agreement receives no live order. */
    requireAgreement: read('REQUIRE_AGREEMENT', false, trueOrFalse, 'true or false'),
    /** Whether statements show stores what customers paid, and what accounts added. */
    showStoresAddedFees: read('SHOW_STORES_ADDED_FEES', false, trueOrFalse, 'true or false'),
    /** The operator's registration numbers for taxes, for receipts and statements where it remits them. */
    taxIds: read('TAX_IDS', [], registrationNumbers, 'at most 8 registration numbers, separated by commas'),
    /** Who computes the taxes of live orders. */
    tax: read('TAX', 'built-in', oneOf(TAXES), TAXES.join(' or ')),
    /** Whether a live order that the service of `tax` does not compute is refused. */
    taxFallback: read('TAX_FALLBACK', 'refuse', oneOf(TAX_FALLBACKS), TAX_FALLBACKS.join(' or ')),
    /** API key of Places API (New); undefined reads places from `placesFile` instead. */
    googlePlacesApiKey: read('GOOGLE_PLACES_API_KEY', undefined, headerText, 'a key'),
    /** Looks up addresses; undefined refuses addresses of live keys. */
    geocoder: read(
      'GEOCODER',
      undefined,
      geocoderSetting,
      'google, census, nominatim:URL or photon:URL, with an http or https URL without a query',
    ),
    /** A GeoJSON file of Overture Maps or OpenStreetMap; undefined disables the place directory. */
    placesFile: read('PLACES_FILE', undefined, text, 'a file'),
    /**
     * A font in GNU Unifont's .hex format, for characters that ticket printers lack. Without it they print as question
     * marks.
     */
    printerFont: read('PRINTER_FONT', undefined, text, 'a file'),
    /** SMTP server with user and password; undefined leaves live mail in the queue. */
    smtpUrl: read('SMTP_URL', undefined, smtpUrl, 'an smtp:// or smtps:// URL'),
    /** Where to report a vulnerability; by default the address of `mailFrom`. */
    securityContact: read('SECURITY_CONTACT', undefined, contactUri, 'a mailto: address or an https:// URL'),
    /** The sender of mail for accounts without their own address. */
    mailFrom: read('MAIL_FROM', 'Doorstep <doorstep@localhost>', mailAddress, 'an email address, or NAME <ADDRESS>'),
    /** Single sign-on of operators by OpenID Connect. */
    openid: readOpenid(env, faults),
    twilio,
    /** The S3 bucket for photos of stores; undefined keeps them in the database. */
    photoBucket: readPhotoBucket(env, faults),
    couriers: readCouriers(env, couriers, faults),
    /** Sender number of SMS; undefined without an SMS provider. */
    textFrom: twilio?.from,
    /** Countries that receive SMS, as ISO 3166 codes. */
    smsCountries: read('SMS_COUNTRIES', ['US', 'CA'], countryCodes, 'ISO codes of countries, separated by commas'),
    /** Days for which ended webhook calls, messages and notices are kept. */
    recordsKeepDays: read('RECORDS_KEEP_DAYS', 90, numberBetween(1, 3650), 'days from 1 to 3650'),
    /** Days after an order's end for which its personal data is kept; 0 keeps it. */
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
    /** OTLP endpoint for traces; undefined disables tracing. OpenTelemetry reads its other settings itself. */
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, httpUrl, plainUrl),
  };
  if (config.geocoder?.name === 'google' && config.googlePlacesApiKey === undefined) {
    faults.push('GEOCODER=google needs GOOGLE_PLACES_API_KEY.');
  }
  if (config.tax === 'stripe' && !config.stripeSecretKey) faults.push('TAX=stripe needs STRIPE_SECRET_KEY.');
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The issuer gets the client's secret, so it must be https, or on this machine. */
function readOpenid(
  env: Environment,
  faults: string[],
): SettingValues<'issuer' | 'clientId' | 'clientSecret'> | undefined {
  const openid = readGroup(env, OPENID, faults);
  const url = openid && URL.parse(openid.issuer);
  if (!openid || (httpUrl(openid.issuer) && (url?.protocol === 'https:' || url?.hostname === '127.0.0.1')))
    return openid;
  faults.push('OIDC_ISSUER must be an https URL without a query.');
  return undefined;
}

function readPhotoBucket(env: Environment, faults: string[]): PhotoBucketSetting | undefined {
  const given = readGroup(env, PHOTO_BUCKET, faults);
  const url = given && httpUrl(given.url);
  if (given && url === undefined) faults.push('PHOTOS_S3_URL must be an http or https URL without a query.');
  return given && url !== undefined ? { ...given, url } : undefined;
}

function readCouriers(
  env: Environment,
  companies: readonly Company[],
  faults: string[],
): ReadonlyMap<string, SettingValues> {
  const read = companies.map(({ name, settings }) => [name, readGroup(env, settings, faults)] as const);
  return new Map(read.flatMap(([name, values]) => (values ? [[name, values]] : [])));
}

/** The values of a group; undefined if none is set. A missing required setting is a fault if others are set. */
function readGroup<Required extends string, Optional extends string>(
  env: Environment,
  { required, optional }: SettingGroup<Required, Optional>,
  faults: string[],
): SettingValues<Required, Optional> | undefined {
  const names = Object.entries<string>({ ...required, ...optional });
  const set = names.flatMap(([key, name]) => {
    const value = env[name]?.trim();
    return value ? [[key, value] as const] : [];
  });
  const values = Object.fromEntries(set);
  if (Object.keys(required).every((key) => Object.hasOwn(values, key))) {
    return values as SettingValues<Required, Optional>;
  }
  if (set.length > 0) faults.push(`${listed(Object.values(required))} must be set together.`);
  return undefined;
}

const listed = (names: readonly string[]): string => [names.slice(0, -1).join(', '), names.at(-1)].join(' and ');
