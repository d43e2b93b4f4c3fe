import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../app/wiring/read-settings.ts';
import { parseNetworks } from '../lib/networks.ts';
import { randomId } from '../lib/random-id.ts';
import { type Config, ConfigError } from './config.ts';
import type { Environment } from './plugin-settings.ts';

const SECRET = 'hunter2';

/** Invalid values of each setting, which must stop the start. */
const WRONG: Record<string, readonly string[]> = {
  PORT: ['eighty', '-1', '65536', '80.5', '0x50', '1e3', '8080 8081'],
  DATABASE_URL: [
    `mysql://u:${SECRET}@host/db`,
    `${SECRET}`,
    `postgres://u:${SECRET}@host:port/db`,
    `postgres://u:${SECRET}@host/db?require_auth=none`,
  ],
  BASE_URL: [
    `${SECRET}`,
    'ftp://example.com',
    `https://u:${SECRET}@example.com`,
    `https://:${SECRET}@example.com`,
    'https://example.com?',
    `https://example.com?k=${SECRET}`,
    'https://example.com/#a',
    'https://example.com/#',
  ],
  TRACKING_URL: [`${SECRET}`, `https://u:${SECRET}@example.com`, `https://example.com/?k=${SECRET}`],
  LOG_LEVEL: ['chatty', '30'],
  DRAIN_SECONDS: ['-1', '601', 'five'],
  WORKERS: ['0', '-1', '1.5', 'all', '65'],
  TOKEN_SECRET: [SECRET, 'fifteen letters'],
  TOKEN_SECRET_PREVIOUS: [SECRET, 'fifteen letters'],
  TRUST_PROXY: ['true', '*', 'proxy.example', '10.0.0.0/33', '10.0.0.1;10.0.0.2', '10.0.0.1,'],
  METRICS_PORT: ['yes', '65536', '-1', '127.0.0.1', ':9464', '0.0.0.0:', '::1:9464', '127.0.0.1 9464'],
  RATE_LIMIT_PER_MINUTE: ['-1', '1.5', 'many', '10000001'],
  VISITOR_REQUESTS_PER_HOUR: ['0', '9', 'many'],
  VISITOR_LOOKUPS_PER_HOUR: ['0', '9', 'many'],
  VISITOR_CARTS_PER_HOUR: ['0', '9', 'many'],
  SANDBOX_PACE: ['-1', '86401', 'automatic', '1,5'],
  ORDER_CONFIRM_TIMEOUT_MINUTES: ['0', '-5', '1441', 'soon'],
  SMTP_URL: [
    `http://u:${SECRET}@mail.example.com`,
    `mail.example.com:${SECRET}`,
    `smtp://u:${SECRET}@mail.example.com:port`,
  ],
  MAIL_FROM: [
    'Doorstep',
    'a@b@c',
    'Doorstep <doorstep@example.com',
    'Doorstep <a b@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com, b@example.com',
  ],
  GOOGLE_PLACES_API_KEY: [`${SECRET} ${SECRET}`, `${SECRET}\u00e9`],
  GEOCODER: [
    ...['yes', 'Google', 'nominatim', 'photon:', 'photon:photon.example', 'census:https://a.example'],
    ...[`nominatim:https://u:${SECRET}@a.example`, `photon:https://a.example/?key=${SECRET}`],
  ],
  WEBHOOK_RETRY_SCHEDULE: ['5,', '5;300', 'soon', '-5', '31536001'],
  WEBHOOK_ALLOW_PRIVATE: ['yes', '1', 'on'],
  MAP_TILES: [
    ...['map.mbtiles', '/maps/', 'ftp://tiles.example/map.pmtiles', 'https://tiles.example/map.mbtiles'],
    ...['https://user:pass@tiles.example/map.pmtiles', 'https://tiles.example/{z}/{x}', 'https:map.png'],
  ],
  STRIPE_SECRET_KEY: [
    ...['foo', SECRET, `pk_live_${SECRET}`, `whsec_${SECRET}`, `sk_${SECRET}`, 'sk_live_'],
    ...[`sk_live_${SECRET} x`, `Bearer sk_live_${SECRET}`],
  ],
  STRIPE_WEBHOOK_SECRET: ['whsec x'],
  ACCEPT_RAW_CARDS: ['yes'],
  TAX: ['none', 'Stripe'],
  TAX_FALLBACK: ['stripe'],
  PUBLIC_DOCS: ['no'],
  UCP: ['on'],
  UCP_ACCOUNT: ['grocer'],
  REQUIRE_AGREEMENT: ['yes'],
  SHOW_STORES_ADDED_FEES: ['1'],
  TAX_IDS: [',', `GST ${'1'.repeat(60)}`, 'a,b,c,d,e,f,g,h,i'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', `https://u:${SECRET}@collector.example`, 'grpc://collector:4317'],
  RECORDS_KEEP_DAYS: ['0', '-1', 'for ever', '3651'],
  PERSONAL_DATA_DAYS: ['-1', '1.5', 'never', '36501'],
  SMS_COUNTRIES: ['USA', 'US,XX', 'US;CA', 'us,,ca'],
  DAILY_BUDGETS: [
    ...['5', '[]', 'null', '{"sms": 5', '{"sms": -1}', '{"sms": 1.5}', '{"emails": "none"}', '{"unpaid_orders": null}'],
    ...[
      '{"directory_lookups": 1e13}',
      '{"unplaced_bytes": "1 GB"}',
      '{"sms": [5]}',
      '{"faxes": 5}',
      '{"__proto__": 5}',
    ],
  ],
};

const DAILY_BUDGETS = {
  sms: 2000,
  emails: 10_000,
  unpaid_orders: 1000,
  directory_lookups: 1000,
  sandbox_directory_lookups: 100,
  unplaced_orders: 50_000,
  unplaced_bytes: 250_000_000,
};

/** Valid values and their parsed form. */
const RIGHT: readonly [Environment, Partial<Config>][] = [
  [
    { HOST: '0.0.0.0', PORT: '0' },
    { host: '0.0.0.0', port: 0, baseUrl: 'http://127.0.0.1:0' },
  ],
  [
    { HOST: '::1', PORT: '65535' },
    { host: '::1', baseUrl: 'http://[::1]:65535', trackingUrl: 'http://[::1]:65535' },
  ],
  [
    { BASE_URL: 'https://api.example.com/v1//' },
    { baseUrl: 'https://api.example.com/v1', trackingUrl: 'https://api.example.com/v1' },
  ],
  [
    { BASE_URL: 'https://a.example', TRACKING_URL: 'https://t.example/' },
    { baseUrl: 'https://a.example', trackingUrl: 'https://t.example' },
  ],
  [
    { DATABASE_URL: 'postgresql://u:p@db.example:5432/d?sslmode=require' },
    { databaseUrl: 'postgresql://u:p@db.example:5432/d?sslmode=require' },
  ],
  [
    { DATABASE_URL: 'postgres://u:p@db.example/d?require_auth=md5,scram-sha-256' },
    { databaseUrl: 'postgres://u:p@db.example/d?require_auth=md5,scram-sha-256' },
  ],
  [
    { DATABASE_URL: 'postgres://u:p@db.example/d?require_auth=none,scram-sha-256' },
    { databaseUrl: 'postgres://u:p@db.example/d?require_auth=none,scram-sha-256' },
  ],
  [{ DATA_DIR: ' /var/lib/doorstep ' }, { dataDir: '/var/lib/doorstep' }],
  [{ LOG_LEVEL: 'WARN' }, { logLevel: 'warn' }],
  [{ OUTSIDE: 'OFF' }, { outside: false }],
  [{ TOKEN_SECRET: 'sixteen letters.' }, { tokenSecret: 'sixteen letters.' }],
  [{ TOKEN_SECRET_PREVIOUS: 'sixteen letters!' }, { tokenSecretPrevious: 'sixteen letters!' }],
  [{ METRICS_PORT: '9464' }, { metrics: { host: '127.0.0.1', port: 9464 } }],
  [{ METRICS_PORT: '0.0.0.0:0' }, { metrics: { host: '0.0.0.0', port: 0 } }],
  [{ METRICS_PORT: '[::1]:9464' }, { metrics: { host: '::1', port: 9464 } }],
  [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: parseNetworks('10.0.0.0/8,::1') ?? [] }],
  [{ RATE_LIMIT_PER_MINUTE: '0' }, { rateLimitPerMinute: 0 }],
  [{ WORKERS: '4' }, { workers: 4 }],
  [{ RECORDS_KEEP_DAYS: '365' }, { recordsKeepDays: 365 }],
  [{ PERSONAL_DATA_DAYS: '0' }, { personalDataDays: 0 }],
  [{ SMS_COUNTRIES: 'us, pr,US' }, { smsCountries: ['US', 'PR'] }],
  [
    { DAILY_BUDGETS: '{ "sms": 0, "emails": "unlimited", "directory_lookups": "7" }' },
    { dailyBudgets: { ...DAILY_BUDGETS, sms: 0, emails: Number.MAX_SAFE_INTEGER, directory_lookups: 7 } },
  ],
  [{ SANDBOX_PACE: 'Manual' }, { sandboxPace: 'manual' }],
  [{ SANDBOX_PACE: '0.5' }, { sandboxPace: 0.5 }],
  [{ ORDER_CONFIRM_TIMEOUT_MINUTES: '0.01' }, { orderConfirmTimeoutMinutes: 0.01 }],
  [{ STRIPE_SECRET_KEY: 'sk_test_x' }, { paymentGateway: 'stripe' }],
  [{ STRIPE_SECRET_KEY: 'rk_live_51Abc' }, { paymentGateway: 'stripe' }],
  [{ STRIPE_WEBHOOK_SECRET: ' whsec_x ' }, { paymentGateway: undefined }],
  [{ ACCEPT_RAW_CARDS: 'False' }, { acceptRawCards: false }],
  [{ PUBLIC_DOCS: 'false' }, { publicDocs: false }],
  [{ UCP: 'released' }, { ucp: 'released' }],
  [{ REQUIRE_AGREEMENT: 'true' }, { requireAgreement: true }],
  [{ SHOW_STORES_ADDED_FEES: 'true' }, { showStoresAddedFees: true }],
  [
    { TAX: 'stripe', TAX_FALLBACK: 'built-in', STRIPE_SECRET_KEY: 'sk_test_secret' },
    { taxService: 'stripe', taxFallback: 'built-in' },
  ],
  [{ TAX_IDS: 'GST 1 RT0001, QST 2 TQ0001' }, { taxIds: ['GST 1 RT0001', 'QST 2 TQ0001'] }],
  [{ GOOGLE_PLACES_API_KEY: 'AIza-x_1', PLACES_FILE: 'places/all of them.geojson.gz' }, { placeDirectory: 'google' }],
  [{ PLACES_FILE: 'places/all of them.geojson.gz' }, { placeDirectory: 'local' }],
  [{ GEOCODER: 'census' }, { geocoder: { name: 'census' } }],
  [{ GEOCODER: 'google', GOOGLE_PLACES_API_KEY: 'k' }, { geocoder: { name: 'google' } }],
  [
    { GEOCODER: 'nominatim:http://10.0.0.7:8088/nominatim/' },
    { geocoder: { name: 'nominatim', url: 'http://10.0.0.7:8088/nominatim' } },
  ],
  [{ GEOCODER: 'photon:https://photon.example' }, { geocoder: { name: 'photon', url: 'https://photon.example' } }],
  [{ SMTP_URL: 'smtps://u:p@mail.example.com:465' }, { mailer: 'smtp' }],
  [{ SECURITY_CONTACT: 'mailto:security@example.com' }, { securityContact: 'mailto:security@example.com' }],
  [{ SECURITY_CONTACT: 'https://example.com/security' }, { securityContact: 'https://example.com/security' }],
  [{ MAIL_FROM: 'orders@example.com' }, { mailFrom: 'orders@example.com' }],
  [{ MAIL_FROM: 'Café Orders <orders@example.com>' }, { mailFrom: 'Café Orders <orders@example.com>' }],
  [
    { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+15550100' },
    { smsSender: 'twilio', textFrom: '+15550100' },
  ],
  [{ WEBHOOK_RETRY_SCHEDULE: '5, 0.5,300' }, { webhookRetrySchedule: [5, 0.5, 300] }],
  [{ WEBHOOK_ALLOW_PRIVATE: 'TRUE' }, { webhookAllowPrivate: true }],
  [{ MAP_TILES: '/maps/town.pmtiles' }, { mapTiles: { file: '/maps/town.pmtiles' } }],
  [
    { MAP_TILES: 'https://t.example/town.pmtiles?key=k' },
    { mapTiles: { url: 'https://t.example/town.pmtiles?key=k' } },
  ],
  [
    { MAP_TILES: 'https://{s}.t.example/{z}/{x}/{y}.png' },
    { mapTiles: { url: 'https://{s}.t.example/{z}/{x}/{y}.png' } },
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/tenant/' }, { tracer: 'opentelemetry' }],
];

function configFaults(env: Environment): string {
  try {
    readSettings(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return '';
}

test('without any setting the service runs on this machine, with the published defaults', () => {
  const { webhookRetrySchedule, plugins, pluginSettings, loadedPlugins, ...config } = readSettings({});
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 8080,
    workers: 1,
    drainSeconds: 5,
    baseUrl: 'http://127.0.0.1:8080',
    dataDir: '.data',
    databaseUrl: undefined,
    searchSnapshotDir: '.data/search',
    productIndexBytes: 20e9,
    trackingUrl: 'http://127.0.0.1:8080',
    logLevel: 'info',
    tokenSecret: undefined,
    tokenSecretPrevious: undefined,
    metrics: undefined,
    trustProxy: [],
    rateLimitPerMinute: 6000,
    visitorsPerHour: { requests: 1200, lookups: 60, carts: 120 },
    smsCountries: ['US', 'CA'],
    recordsKeepDays: 90,
    personalDataDays: 730,
    dailyBudgets: DAILY_BUDGETS,
    sandboxPace: 15,
    orderConfirmTimeoutMinutes: 15,
    acceptRawCards: true,
    requireAgreement: false,
    showStoresAddedFees: false,
    taxIds: [],
    taxService: undefined,
    taxFallback: 'refuse',
    publicDocs: true,
    ucp: 'off',
    ucpAccount: undefined,
    placeDirectory: undefined,
    geocoder: undefined,
    printerFont: undefined,
    paymentGateway: undefined,
    mailer: undefined,
    smsSender: undefined,
    securityContact: undefined,
    mailFrom: 'Doorstep <doorstep@localhost>',
    openid: undefined,
    photoBucket: undefined,
    textFrom: undefined,
    webhookAllowPrivate: false,
    mapTiles: undefined,
    tracer: undefined,
    outside: true,
    warnings: [],
  });
  const hours = 3600;
  const published = [5, 300, 1800, 2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours];
  assert.deepEqual(webhookRetrySchedule, published);
});

test('each setting is read as it is written', () => {
  for (const [env, expected] of RIGHT) {
    const config = readSettings(env);
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(config[name as keyof Config], value, name);
  }
});

test('a search snapshot is in DATA_DIR, and absent with another database without one', () => {
  const DATABASE_URL = 'postgres://db.example/d';
  const dirOf = (env: Environment) => readSettings(env).searchSnapshotDir;
  assert.equal(dirOf({ DATA_DIR: '/data' }), '/data/search');
  assert.equal(dirOf({ DATABASE_URL }), null);
  assert.equal(dirOf({ DATABASE_URL, DATA_DIR: '/var/lib/doorstep' }), '/var/lib/doorstep/search');
});

test('every ID that an account may get names the account of UCP', () => {
  for (let nth = 0; nth < 500; nth += 1) {
    const accountId = randomId('acc_', 12);
    assert.equal(readSettings({ UCP_ACCOUNT: accountId }).ucpAccount, accountId);
  }
});

test('an empty or blank value counts as absent', () => {
  const names = [...Object.keys(WRONG), 'HOST', 'DATA_DIR'];
  for (const blank of ['', ' \t']) {
    assert.deepEqual(readSettings(Object.fromEntries(names.map((name) => [name, blank]))), readSettings({}));
  }
});

test('each invalid value gets one message that names its setting, and not the value', () => {
  for (const [name, values] of Object.entries(WRONG)) {
    for (const value of values) {
      const faults = configFaults({ [name]: value });
      assert.match(faults, new RegExp(`^${name} must be [^\\n]+\\.$`), `${name}=${value}`);
      assert.ok(!faults.includes(SECRET) && !faults.includes(` ${value}.`), `${name}=${value} is repeated`);
    }
  }
});

test('all wrong settings are named at once', () => {
  const all = Object.fromEntries(Object.entries(WRONG).map(([name, [value]]) => [name, value]));
  const named = configFaults({ ...all, TWILIO_AUTH_TOKEN: SECRET }).split('\n');
  assert.deepEqual(
    named.map((fault) => fault.split(' ')[0]?.replace(',', '')).sort(),
    [...Object.keys(WRONG), 'TWILIO_ACCOUNT_SID'].sort(),
  );
  assert.doesNotMatch(named.join(), new RegExp(SECRET));
});

test('the settings of the photo bucket come together, with a plain URL', () => {
  const whole = {
    PHOTOS_S3_URL: 'https://s3.example/photos/',
    PHOTOS_S3_REGION: 'us-east-1',
    PHOTOS_S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    PHOTOS_S3_SECRET_ACCESS_KEY: SECRET,
  };
  const { photoBucket, pluginSettings } = readSettings(whole);
  assert.deepEqual([photoBucket, pluginSettings.get('photos_s3')?.url], ['s3', 'https://s3.example/photos']);
  const part = configFaults({ ...whole, PHOTOS_S3_REGION: '' });
  assert.match(part, /^PHOTOS_S3_URL, PHOTOS_S3_REGION, .* must be set together\.$/);
  const wrong = configFaults({ ...whole, PHOTOS_S3_URL: `s3://${SECRET}/photos` });
  assert.equal(wrong, 'PHOTOS_S3_URL must be an http or https URL without a query.');
});

test('the settings of Twilio come together or not at all', () => {
  const whole = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: SECRET, TWILIO_FROM: '+15550100' };
  for (const name of Object.keys(whole)) {
    const faults = configFaults({ ...whole, [name]: ' ' });
    assert.equal(faults, 'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set together.');
  }
});

test("Google's geocoder needs Google's key", () => {
  assert.equal(configFaults({ GEOCODER: 'google' }), 'GEOCODER=google needs GOOGLE_PLACES_API_KEY.');
  assert.equal(configFaults({ TAX: 'stripe' }), 'TAX=stripe needs STRIPE_SECRET_KEY.');
});
