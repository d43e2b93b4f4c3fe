import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { repeat } from '../jobs/repeat.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { listVerifiedHosts } from './brandings.db.ts';
import { hostSiteUrl, type TrackingSite } from './tracking-site.ts';

const POLL_MS = 5000;

/** The tracking sites of all accounts, as verified some seconds ago: an answer with a link costs no look-up. Links have keys. */
export type TrackingSites = {
  siteOf(accountId: string): TrackingSite;
  /** The verified hosts of accounts, without the service's own: BASE_URL may become the host of an account later. */
  ownHosts(): ReadonlySet<string>;
  /** Reads what was verified since. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

/** Reads the verified hosts now and every five seconds. A failed read keeps the sites of the last one. */
export async function openTrackingSites({
  db,
  tokens,
  config: { baseUrl, trackingUrl },
  log,
}: {
  db: Db;
  tokens: TokenSealer;
  config: Pick<Config, 'baseUrl' | 'trackingUrl'>;
  log: Logger;
}): Promise<TrackingSites> {
  const keyOf = createTrackingKeys(tokens);
  const common: TrackingSite = { siteUrl: trackingUrl, keyOf };
  const served = [baseUrl, trackingUrl].map((url) => new URL(url).hostname);
  let own: ReadonlyMap<string, TrackingSite> = new Map();
  let ownHosts: ReadonlySet<string> = new Set();
  const refresh = async () => {
    const hosts = await listVerifiedHosts(db);
    own = new Map(hosts.map(({ accountId, host }) => [accountId, { siteUrl: hostSiteUrl(host, trackingUrl), keyOf }]));
    ownHosts = new Set(hosts.map(({ host }) => host).filter((host) => !served.includes(host)));
  };
  await refresh();
  const polling = repeat('reading tracking hosts', POLL_MS, log, refresh);
  return {
    siteOf: (accountId) => own.get(accountId) ?? common,
    ownHosts: () => ownHosts,
    refresh,
    stop: () => polling.stop(),
  };
}

const TRACKING_KEY = 'tracking-key';

/** Signs order ids: the key of a tracking link is its customer's permission, and cannot be derived without the secret. */
export function createTrackingKeys(tokens: Pick<TokenSealer, 'sign'>): (orderId: string) => string {
  return (orderId) => tokens.sign(TRACKING_KEY, Buffer.from(orderId));
}

export function isTrackingKey(tokens: Pick<TokenSealer, 'isSignature'>, orderId: string, key: string): boolean {
  return tokens.isSignature(TRACKING_KEY, Buffer.from(orderId), key);
}
