import { type PublicHttp, readCertificateEnd } from 'doorstep/public-http';
import { listTrackingHosts } from '../../access/accounts/brandings.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { writeSetting } from '../../platform/db/settings.db.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import { CERTIFICATES_END } from './conditions.db.ts';

const TIMEOUT_MS = 5000;
const MAX_HOSTS = 200;

type CertificateDeps = { db: Db; config: Pick<Config, 'baseUrl' | 'trackingUrl'>; publicHttp: PublicHttp };

/**
 * Reads the expiry of the certificates of the service's hosts, once an hour, on one node. Accounts choose tracking hosts, so
 * those are read at public addresses alone. A host that does not answer is left out.
 */
export function readCertificates(deps: CertificateDeps): Worker<object> {
  return {
    kind: { name: 'read-certificates' },
    concurrency: 1,
    everyMinutes: 60,
    atMinute: 23,
    run: () => recordCertificates(deps),
  };
}

export async function recordCertificates({ db, config, publicHttp }: CertificateDeps): Promise<void> {
  // A service without https has no certificate that its accounts' hosts could lack.
  if (!config.baseUrl.startsWith('https:')) return;
  const own = [config.baseUrl, config.trackingUrl]
    .map((url) => new URL(url))
    .filter((url) => url.protocol === 'https:');
  const tracking = (await listTrackingHosts(db)).filter(({ isVerified }) => isVerified).slice(0, MAX_HOSTS);
  const ends = new Map<string, string>();
  const note = async (host: string, reading: Promise<Temporal.Instant | undefined>) => {
    const end = await reading.catch(() => undefined);
    if (end) ends.set(host, end.toString());
  };
  for (const url of own) await note(url.host, readCertificateEnd(url, { timeoutMs: TIMEOUT_MS, acceptsAny: true }));
  for (const { host } of tracking) await note(host, publicHttp.readCertificateEnd(`https://${host}/`));
  await writeSetting(db, CERTIFICATES_END, JSON.stringify(Object.fromEntries(ends)));
}
