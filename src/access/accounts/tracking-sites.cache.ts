import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { Listener } from '../../platform/db/listen.ts';
import { RepeatedTask } from '../../platform/jobs/repeat.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { HOSTS_CHANNEL, listTrackingHosts, type OwnHost } from './brandings.db.ts';
import { createTrackingKeys, hostSiteUrl, type TrackingSite } from './tracking-site.ts';

/** Changes are notified; the poll is for nodes whose listener cannot connect. */
const POLL_MS = 60_000;

type Deps = {
  db: Db;
  tokens: TokenSealer;
  config: Pick<Config, 'baseUrl' | 'trackingUrl'>;
  log: Logger;
  connectionString: string;
};

/**
 * Tracking sites of all accounts, read again when a host is set or verified, so that a response with a link needs no
 * look-up. A failed read keeps the previous sites.
 */
export class TrackingSites {
  private readonly db: Db;
  private readonly log: Logger;
  private readonly connectionString: string;
  private readonly common: TrackingSite;
  private readonly servedHosts: readonly string[];
  private sites: ReadonlyMap<string, TrackingSite> = new Map();
  private hosts: ReadonlyMap<string, OwnHost> = new Map();
  /** Numbers of the newest read and of the read whose hosts are served. An older read that ends later is dropped. */
  private begun = 0;
  private served = 0;
  private polling: RepeatedTask | undefined;
  private listener: Listener | undefined;

  constructor({ db, tokens, config: { baseUrl, trackingUrl }, log, connectionString }: Deps) {
    this.db = db;
    this.log = log;
    this.connectionString = connectionString;
    this.common = { siteUrl: trackingUrl, keyOf: createTrackingKeys(tokens) };
    this.servedHosts = [baseUrl, trackingUrl].map((url) => new URL(url).hostname);
  }

  /** Reads the hosts now and after each change. */
  async start(): Promise<void> {
    await this.refresh();
    const { log, connectionString } = this;
    const run = () => this.refresh();
    const polling = new RepeatedTask({ name: 'reading tracking hosts', everyMs: POLL_MS, log, run });
    const onNotice = () => polling.wake();
    const applicationName = 'doorstep-hosts';
    this.listener = new Listener({ connectionString, channel: HOSTS_CHANNEL, applicationName, log, onNotice });
    this.polling = polling;
  }

  async stop(): Promise<void> {
    await this.listener?.close();
    await this.polling?.stop();
  }

  siteOf(accountId: string): TrackingSite {
    return this.sites.get(accountId) ?? this.common;
  }

  /**
   * Returns the hosts of accounts, including unverified ones. Excludes the service's own host, because
   * BASE_URL may later change to an account's host.
   */
  ownHosts(): ReadonlyMap<string, OwnHost> {
    return this.hosts;
  }

  async refresh(): Promise<void> {
    const { siteUrl, keyOf } = this.common;
    this.begun += 1;
    const read = this.begun;
    const hosts = await listTrackingHosts(this.db);
    if (read < this.served) return;
    this.served = read;
    const verified = hosts.filter(({ isVerified }) => isVerified);
    this.sites = new Map(
      verified.map(({ accountId, host }) => [accountId, { siteUrl: hostSiteUrl(host, siteUrl), keyOf }]),
    );
    const own = hosts.filter(({ host }) => !this.servedHosts.includes(host));
    this.hosts = new Map(own.map(({ host, ...rest }) => [host, rest]));
  }
}
