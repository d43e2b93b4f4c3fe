export type Config = {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | undefined;
  baseUrl: string;
  trackingUrl: string;
  logLevel: LogLevel;
  tokenSecret: string | undefined;
  /** Requests a minute for each key; 0 lifts the limit. */
  rateLimitPerMinute: number;
  /** Seconds between simulated steps of a sandbox order; 'manual': only when advanced. */
  sandboxPace: number | 'manual';
  orderConfirmTimeoutMinutes: number;
  stripeSecretKey: string | undefined;
};

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Every setting that is wrong, each in a sentence that names it; its value is never repeated. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings once; an empty value counts as absent. Throws ConfigError naming all faults at once. */
export function readConfig(env: Environment): Config {
  const faults: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (value === undefined) faults.push(`${name} must be ${expected}.`);
    return value ?? fallback;
  };
  const text = (value: string) => value;

  const host = read('HOST', '127.0.0.1', text, 'an address to listen on');
  const port = read('PORT', 8080, integerBetween(0, 65_535), 'a port between 0 and 65535');
  const baseUrl = read(
    'BASE_URL',
    `http://${hostInUrl(host)}:${port}`,
    httpUrl,
    'an http or https URL without a query',
  );
  const config: Config = {
    host,
    port,
    baseUrl,
    dataDir: read('DATA_DIR', '.data', text, 'a folder'),
    databaseUrl: read('DATABASE_URL', undefined, postgresUrl, 'a postgres:// URL'),
    trackingUrl: read('TRACKING_URL', baseUrl, httpUrl, 'an http or https URL without a query'),
    logLevel: read(
      'LOG_LEVEL',
      'info',
      (value) => LOG_LEVELS.find((l) => l === value.toLowerCase()),
      LOG_LEVELS.join(', '),
    ),
    tokenSecret: read(
      'TOKEN_SECRET',
      undefined,
      (value) => (value.length >= 16 ? value : undefined),
      'at least 16 characters',
    ),
    rateLimitPerMinute: read(
      'RATE_LIMIT_PER_MINUTE',
      6000,
      integerBetween(0, 10_000_000),
      'a whole number from 0 (no limit)',
    ),
    sandboxPace: read('SANDBOX_PACE', 15, sandboxPace, 'a number of seconds from 0 to 86400, or manual'),
    orderConfirmTimeoutMinutes: read(
      'ORDER_CONFIRM_TIMEOUT_MINUTES',
      15,
      numberBetween(0.01, 1440),
      'minutes, up to 1440',
    ),
    stripeSecretKey: read('STRIPE_SECRET_KEY', undefined, text, 'a key'),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function integerBetween(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

function numberBetween(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    return /^\d+(\.\d+)?$/.test(text) && value >= min && value <= max ? value : undefined;
  };
}

function sandboxPace(text: string): number | 'manual' | undefined {
  return text.toLowerCase() === 'manual' ? 'manual' : numberBetween(0, 86_400)(text);
}

function httpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  return text.replace(/\/+$/, '');
}

function postgresUrl(text: string): string | undefined {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}
