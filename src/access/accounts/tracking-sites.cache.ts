import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { RepeatedTask } from '../../platform/jobs/repeat.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { listVerifiedHosts } from './brandings.db.ts';
import { hostSiteUrl, type TrackingSite } from './tracking-site.ts';

const POLL_MS = 5000;

type Deps = {
  db: Db;
  tokens: TokenSealer;
  config: Pick<Config, 'baseUrl' | 'trackingUrl'>;
  log: Logger;
};

/**
 * Tracking sites of all accounts, at most a few seconds old, so that an answer with a link needs no look-up. A failed
 * read keeps the previous sites.
 */
export class TrackingSites {
  private readonly db: Db;
  private readonly log: Logger;
  private readonly common: TrackingSite;
  private readonly servedHosts: readonly string[];
  private sites: ReadonlyMap<string, TrackingSite> = new Map();
  private hosts: ReadonlySet<string> = new Set();
  private polling: RepeatedTask | undefined;

  constructor({ db, tokens, config: { baseUrl, trackingUrl }, log }: Deps) {
    this.db = db;
    this.log = log;
    this.common = { siteUrl: trackingUrl, keyOf: createTrackingKeys(tokens) };
    this.servedHosts = [baseUrl, trackingUrl].map((url) => new URL(url).hostname);
  }

  /** Reads the verified hosts now and every five seconds. */
  async start(): Promise<void> {
    await this.refresh();
    const run = () => this.refresh();
    this.polling = new RepeatedTask({ name: 'reading tracking hosts', everyMs: POLL_MS, log: this.log, run });
  }

  async stop(): Promise<void> {
    await this.polling?.stop();
  }

  siteOf(accountId: string): TrackingSite {
    return this.sites.get(accountId) ?? this.common;
  }

  /**
   * The verified hosts of accounts. Excludes the service's own host, because BASE_URL may later change to an account's
   * host.
   */
  ownHosts(): ReadonlySet<string> {
    return this.hosts;
  }

  async refresh(): Promise<void> {
    const { siteUrl, keyOf } = this.common;
    const verified = await listVerifiedHosts(this.db);
    this.sites = new Map(
      verified.map(({ accountId, host }) => [accountId, { siteUrl: hostSiteUrl(host, siteUrl), keyOf }]),
    );
    this.hosts = new Set(verified.map(({ host }) => host).filter((host) => !this.servedHosts.includes(host)));
  }
}

const TRACKING_KEY = 'tracking-key';

/**
 * Creates the signing function for order ids. The signature in a tracking link authorizes the customer and cannot be
 * forged without the secret.
 */
export function createTrackingKeys(tokens: Pick<TokenSealer, 'sign'>): (orderId: string) => string {
  return (orderId) => tokens.sign(TRACKING_KEY, Buffer.from(orderId));
}

export function isTrackingKey(tokens: Pick<TokenSealer, 'isSignature'>, orderId: string, key: string): boolean {
  return tokens.isSignature(TRACKING_KEY, Buffer.from(orderId), key);
}
