import type { PublicHttp } from 'doorstep/public-http';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/db/context.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { listHostsToVerify } from './brandings.db.ts';
import { verifyHost } from './verify-host.flow.ts';

type Deps = Context & { log: Logger; config: Config; publicHttp: PublicHttp; tokens: TokenSealer };

const MINUTES_BETWEEN = 9;
/**
 * Maximum hosts per run. With `CONCURRENT_CHECKS` at a time and up to ten seconds each, a run takes less than its ten
 * minutes.
 */
const MAX_HOSTS = 400;
const CONCURRENT_CHECKS = 8;

/** Re-verifies every tracking host every ten minutes. */
export function verifyHosts(deps: Deps): Worker<object> {
  return {
    kind: { name: 'verify-tracking-hosts' },
    concurrency: 1,
    everyMinutes: 10,
    run: async (_payload, signal) => {
      const since = deps.clock.now().subtract({ minutes: MINUTES_BETWEEN });
      const hosts = await listHostsToVerify(deps.db, since, MAX_HOSTS);
      for (let start = 0; start < hosts.length; start += CONCURRENT_CHECKS) {
        signal.throwIfAborted();
        await Promise.all(
          hosts.slice(start, start + CONCURRENT_CHECKS).map(async (candidate) => {
            const { verifiedAt, reason } = await verifyHost(deps, candidate);
            const hasChanged = (verifiedAt === null) !== (candidate.verifiedAt === null);
            if (hasChanged)
              deps.log.info(
                { accountId: candidate.accountId, reason },
                'a tracking host was verified, or no longer is',
              );
          }),
        );
      }
    },
  };
}
