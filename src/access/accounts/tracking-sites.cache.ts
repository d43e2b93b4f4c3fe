import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { RepeatedTask } from '../../platform/jobs/repeat.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { listTrackingHosts } from './brandings.db.ts';
import { createTrackingKeys, hostSiteUrl, type TrackingSite } from './tracking-site.ts';

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
  private hosts: ReadonlyMap<string, { isVerified: boolean }> = new Map();
  private polling: RepeatedTask | undefined;

  constructor({ db, tokens, config: { baseUrl, trackingUrl }, log }: Deps) {
    this.db = db;
    this.log = log;
    this.common = { siteUrl: trackingUrl, keyOf: createTrackingKeys(tokens) };
    this.servedHosts = [baseUrl, trackingUrl].map((url) => new URL(url).hostname);
  }

  /** Reads the hosts now and every five seconds. */
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
   * Returns the hosts of accounts, those that are not verified yet included. Excludes the service's own host, because
   * BASE_URL may later change to an account's host.
   */
  ownHosts(): ReadonlyMap<string, { isVerified: boolean }> {
    return this.hosts;
  }

  async refresh(): Promise<void> {
    const { siteUrl, keyOf } = this.common;
    const hosts = await listTrackingHosts(this.db);
    const verified = hosts.filter(({ isVerified }) => isVerified);
    this.sites = new Map(
      verified.map(({ accountId, host }) => [accountId, { siteUrl: hostSiteUrl(host, siteUrl), keyOf }]),
    );
    const own = hosts.filter(({ host }) => !this.servedHosts.includes(host));
    this.hosts = new Map(own.map(({ host, isVerified }) => [host, { isVerified }]));
  }
}
