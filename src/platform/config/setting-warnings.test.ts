import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../app/wiring/read-settings.ts';
import type { Environment } from './plugin-settings.ts';

const NO_CARDS = { ACCEPT_RAW_CARDS: 'false' };
const PUBLIC = {
  ...NO_CARDS,
  BASE_URL: 'https://orders.shop-of-ana.com',
  TRUST_PROXY: '10.0.0.7',
  TOKEN_SECRET: '9f86d081884c7d659a2fe',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
};
const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0a'.repeat(16)}`, TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+12125550100' };
const S3 = { PHOTOS_S3_REGION: 'r', PHOTOS_S3_ACCESS_KEY_ID: 'k', PHOTOS_S3_SECRET_ACCESS_KEY: 's' };
const REMOTE = 'postgres://doorstep:hunter2@db.shop-of-ana.com/doorstep';

/** Accepted settings, with the setting that the one warning about them names. */
const WRONG: readonly [setting: string, text: RegExp, env: Environment][] = [
  ['STRIPE_WEBHOOK_SECRET', /is not set, so refunds/, { ...NO_CARDS, STRIPE_SECRET_KEY: 'sk_live_x' }],
  [
    'ACCEPT_RAW_CARDS',
    /PCI DSS SAQ D; set it to false/,
    { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' },
  ],
  ['STRIPE_SECRET_KEY', /is not set, so STRIPE_WEBHOOK_SECRET/, { STRIPE_WEBHOOK_SECRET: 'whsec_x' }],
  ['STRIPE_SECRET_KEY', /test key/, { ...PUBLIC, STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }],
  ['PAYMENT_GATEWAY', /is not chosen/, { ...PUBLIC, STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' }],
  ['UCP', /BASE_URL is not https/, { UCP: 'released' }],
  ['MAIL_FROM', /is not set/, { SMTP_URL: 'smtps://mail.shop-of-ana.com' }],
  ['SMTP_URL', /is not set/, { MAIL_FROM: 'ana@shop-of-ana.com' }],
  ['SMTP_URL', /clear text/, { SMTP_URL: 'smtp://u:p@mail.shop-of-ana.com?ignoreTLS=true', MAIL_FROM: 'a@b.com' }],
  ['TRUST_PROXY', /trusts everybody/, { ...PUBLIC, TRUST_PROXY: '0.0.0.0/0' }],
  ['TRUST_PROXY', /trusts everybody/, { ...PUBLIC, TRUST_PROXY: '10.0.0.1, ::/0' }],
  ['TRUST_PROXY', /share its limits/, { ...PUBLIC, TRUST_PROXY: '' }],
  ['BASE_URL', /is http on a public host/, { ...PUBLIC, BASE_URL: 'http://orders.shop-of-ana.com' }],
  ['BASE_URL', /links lead to 127\.0\.0\.1/, { HOST: '0.0.0.0' }],
  ['BASE_URL', /placeholder/, { ...PUBLIC, BASE_URL: 'https://doorstep.example.com' }],
  ['TRACKING_URL', /is http/, { ...PUBLIC, TRACKING_URL: 'http://track.shop-of-ana.com' }],
  ['TOKEN_SECRET', /easy to guess/, { TOKEN_SECRET: 'aaaaaaaaaaaaaaaaaaaa' }],
  ['TOKEN_SECRET', /easy to guess/, { TOKEN_SECRET: 'please-change-me-now' }],
  ['TOKEN_SECRET_PREVIOUS', /easy to guess/, { ...PUBLIC, TOKEN_SECRET_PREVIOUS: '1111111111111111' }],
  ['TOKEN_SECRET_PREVIOUS', /the same/, { ...PUBLIC, TOKEN_SECRET_PREVIOUS: PUBLIC.TOKEN_SECRET }],
  ['TOKEN_SECRET_PREVIOUS', /without TOKEN_SECRET/, { TOKEN_SECRET_PREVIOUS: PUBLIC.TOKEN_SECRET }],
  [
    'TOKEN_SECRET',
    /backups contain the secret/,
    { ...PUBLIC, TOKEN_SECRET: '', DATABASE_URL: `${REMOTE}?sslmode=verify-full` },
  ],
  ['TOKEN_SECRET', /the same as TWILIO_AUTH_TOKEN/, { ...PUBLIC, ...TWILIO, TWILIO_AUTH_TOKEN: PUBLIC.TOKEN_SECRET }],
  ['WEBHOOK_ALLOW_PRIVATE', /private addresses/, { ...PUBLIC, WEBHOOK_ALLOW_PRIVATE: 'true' }],
  ['WEBHOOK_RETRY_SCHEDULE', /descends/, { WEBHOOK_RETRY_SCHEDULE: '300,5,1800' }],
  ['RATE_LIMIT_PER_MINUTE', /one client/, { ...PUBLIC, RATE_LIMIT_PER_MINUTE: '0' }],
  ['DATABASE_URL', /has no sslmode/, { DATABASE_URL: REMOTE }],
  ['DATABASE_URL', /verification off/, { DATABASE_URL: `${REMOTE}?sslmode=no-verify` }],
  ['DATABASE_URL', /unknown sslmode/, { DATABASE_URL: `${REMOTE}?sslmode=verified` }],
  ['LOG_LEVEL', /hides/, { ...PUBLIC, LOG_LEVEL: 'silent' }],
  ['ORDER_CONFIRM_TIMEOUT_MINUTES', /before a store/, { ...PUBLIC, ORDER_CONFIRM_TIMEOUT_MINUTES: '0.5' }],
  ['DRAIN_SECONDS', /no time/, { ...PUBLIC, DRAIN_SECONDS: '0' }],
  ['PLACES_FILE', /is not read/, { PLACES_FILE: 'a.geojson', GOOGLE_PLACES_API_KEY: 'k' }],
  ['SMS_COUNTRIES', /does nothing/, { SMS_COUNTRIES: 'US' }],
  ['TWILIO_ACCOUNT_SID', /does not look/, { ...TWILIO, TWILIO_ACCOUNT_SID: 'SK123' }],
  ['TWILIO_FROM', /without \+/, { ...TWILIO, TWILIO_FROM: '2125550100' }],
  ['GEOCODER', /over http/, { GEOCODER: 'photon:http://photon.shop-of-ana.com' }],
  ['PHOTOS_S3_URL', /is http/, { ...S3, PHOTOS_S3_URL: 'http://s3.shop-of-ana.com/photos' }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', /once more/, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/v1/traces' }],
  ['WORKERS', /processors/, { WORKERS: '64' }],
  ['TRUST_PROXIES', /Do you mean TRUST_PROXY\?/, { TRUST_PROXIES: '10.0.0.1' }],
  ['SMPT_URL', /Do you mean SMTP_URL\?/, { SMPT_URL: 'smtp://mail' }],
  ['BASEURL', /Do you mean BASE_URL\?/, { BASEURL: 'https://a.com' }],
  ['SECRET_TOKEN', /Do you mean TOKEN_SECRET\?/, { SECRET_TOKEN: 'x' }],
  ['database_url', /Do you mean DATABASE_URL\?/, { database_url: 'x' }],
];

test('every setting that is valid and probably wrong is one warning that names it', () => {
  assert.ok(WRONG.length >= 25);
  for (const [setting, text, env] of WRONG) {
    const { warnings } = readSettings(env);
    assert.deepEqual(
      warnings.map((warning) => warning.setting),
      [setting],
      JSON.stringify(env),
    );
    assert.match(warnings[0]?.text ?? '', text);
  }
});

test('a warning repeats no value of a secret', () => {
  const secret = 'hunter2hunter2hunter2';
  const all = readSettings({
    ...PUBLIC,
    TOKEN_SECRET: secret,
    TOKEN_SECRET_PREVIOUS: secret,
    DATABASE_URL: `postgres://u:${secret}@db.shop-of-ana.com/d?sslmode=no-verify`,
    SMTP_URL: `smtp://u:${secret}@mail.shop-of-ana.com?ignoreTLS=true`,
    STRIPE_WEBHOOK_SECRET: secret,
    SECRET_TOKEN: secret,
  }).warnings;
  assert.ok(all.length >= 6);
  assert.ok(!JSON.stringify(all).includes('hunter2'));
});

test('a sound set-up, on this machine and in public, has no warning', () => {
  const sound: readonly Environment[] = [
    {},
    { DATABASE_URL: 'postgres://doorstep@%2Ftmp%2Fsockets/doorstep' },
    {
      DATABASE_URL: 'postgres://doorstep:p@127.0.0.1/doorstep',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
    },
    { HOME: '/root', POSTED: 'x', HOSTNAME: 'a', WORKSPACE: 'b', npm_config_port: '1' },
    {
      ...PUBLIC,
      ...TWILIO,
      DATABASE_URL: `${REMOTE}?sslmode=verify-full&sslrootcert=/ca.pem`,
      SMTP_URL: 'smtps://u:p@mail.shop-of-ana.com',
      MAIL_FROM: 'orders@shop-of-ana.com',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      ACCEPT_RAW_CARDS: 'false',
      SMS_COUNTRIES: 'US',
    },
  ];
  for (const env of sound) assert.deepEqual(readSettings(env).warnings, [], JSON.stringify(env));
});
