import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import type { Http } from '../../platform/http/http.ts';
import type { PublicHttp } from '../../platform/lib/public-http.ts';
import { procedureRoutes } from '../operator/procedure.ts';
import type { LocationDeps } from './find-locations.flow.ts';
import { locationRoutes } from './locations.route.ts';
import { PlatformProfiles } from './platform-profiles.cache.ts';
import { profileRoute } from './profile.route.ts';
import { rotateUcpKeyProcedure } from './rotate-key.route.ts';
import { createSigningKeys } from './signing-keys.cache.ts';

type Deps = LocationDeps & { config: Pick<Config, 'baseUrl' | 'ucp'>; log: Logger; publicHttp: PublicHttp };

/** The Universal Commerce Protocol; nothing of it with `UCP=off`. */
export function ucpRoutes(http: Http, deps: Deps): void {
  if (deps.config.ucp === 'off') return;
  const own = { ...deps, signingKeys: createSigningKeys(deps), profiles: new PlatformProfiles(deps) };
  profileRoute(http, own);
  locationRoutes(http, own);
  procedureRoutes(http, deps, [rotateUcpKeyProcedure]);
}
