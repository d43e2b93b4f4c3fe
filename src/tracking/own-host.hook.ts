import type { TrackingSites } from '../accounts/tracking-sites.cache.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { hostNameOf } from './brand.ts';
import { helpLinks } from './care-section.ts';
import { findTracked } from './find-tracked.flow.ts';
import { PAGE_HEADERS, siteSecurity } from './page-headers.ts';
import { frameOf } from './site-frame.flow.ts';
import { frontPage } from './tracking.page.ts';

type OwnHosts = Pick<TrackingSites, 'ownHosts'>;

/** Whether an endpoint is not answered at the host: an account's own host has the pages of the account alone. */
export function isAwayFrom(sites: OwnHosts, host: string | undefined, url: string | undefined): boolean {
  return isOwnHost(sites, host) && url !== '/' && url !== '/tracking' && url?.startsWith('/tracking/') !== true;
}

function isOwnHost({ ownHosts }: OwnHosts, host: string | undefined): boolean {
  const hosts = ownHosts();
  return hosts.size > 0 && hosts.has(hostNameOf(host));
}

type Needs = OwnHosts & { config: Config; db: Db; tokens: TokenSealer };

/** At an account's own host `/` is a short page of its brand. */
export function answerOwnHosts(http: Http, deps: Needs): void {
  http.addHook('onRoute', (route) => {
    if (route.url !== '/') return;
    route.preHandler = [
      async ({ headers: { host } }, reply) => {
        if (!isOwnHost(deps, host)) return;
        const visit = await findTracked(deps, host, {});
        const frame = await frameOf(deps, visit);
        reply.helmet(siteSecurity(deps.config, frame.brand));
        reply.headers(PAGE_HEADERS);
        const page = frontPage(frame, visit.branding ? helpLinks(visit.branding) : null);
        return reply.type('text/html; charset=utf-8').send(page);
      },
      ...[route.preHandler ?? []].flat(),
    ];
  });
}
