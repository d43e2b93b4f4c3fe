import type { PublicHttp } from 'doorstep/public-http';
import type { Db } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { type HostToVerify, recordHostCheck } from './brandings.db.ts';
import { HOST_PROOF_PATH, isHostProof } from './host-proof.ts';
import { hostSiteUrl } from './tracking-site.ts';

/** Hours that a verified host may fail before links stop using it; outages of a few hours are normal. */
const GRACE_HOURS = 24;

type Deps = {
  db: Db;
  clock: Clock;
  publicHttp: Pick<PublicHttp, 'get' | 'checkUrl'>;
  tokens: Pick<TokenSealer, 'isSignature'>;
  config: { trackingUrl: string };
};

/** Result of a host's check; `reason` is a sentence for the operator, null on success. */
export type HostCheck = { verifiedAt: Temporal.Instant | null; reason: string | null };

/**
 * Verifies a domain: requests the challenge path through the tracking host and records the time of success. Links stop
 * using the host after a day of failures.
 */
export async function verifyHost(needs: Deps, candidate: HostToVerify): Promise<HostCheck> {
  const { db, clock } = needs;
  const reason = await hostFault(needs, candidate.host);
  const now = clock.now();
  const verifiedAt = reason === null ? now : stillVerified(candidate.verifiedAt, now);
  await recordHostCheck(db, { ...candidate, verifiedAt }, now);
  return { verifiedAt, reason };
}

function stillVerified(verifiedAt: Temporal.Instant | null, now: Temporal.Instant): Temporal.Instant | null {
  if (verifiedAt === null) return null;
  return Temporal.Instant.compare(verifiedAt, now.subtract({ hours: GRACE_HOURS })) >= 0 ? verifiedAt : null;
}

async function hostFault({ publicHttp, tokens, config }: Deps, host: string): Promise<string | null> {
  const challenge = randomId('', 18);
  const url = `${hostSiteUrl(host, config.trackingUrl)}${HOST_PROOF_PATH}?challenge=${challenge}`;
  const check = await publicHttp.checkUrl(url);
  if ('refusal' in check) {
    const refusal = check.refusal.replace(/(The|the) endpoint/, '$1 custom domain');
    // The host has TRACKING_URL's scheme, so that is the setting to change.
    return url.startsWith('http:') ? `TRACKING_URL begins with http. ${refusal}` : refusal;
  }
  const page = await publicHttp.get(url, { accept: 'text/plain', 'user-agent': 'Doorstep-Hosts/1' });
  if ('failure' in page) return `The host did not respond (${page.failure}).`;
  if (page.status !== 200)
    return `The host returned ${page.status}. It doesn't lead to this service, or the Host header isn't passed on.`;
  const isProof = isHostProof(tokens, { host, challenge, text: page.text });
  return isProof ? null : "The host responded, but not with this service's page.";
}
