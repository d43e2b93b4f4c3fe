import type { Http } from '../../platform/http/http.ts';
import type { PublicHttp } from '../../platform/lib/public-http.ts';
import { recorderOf } from '../operator/actions.db.ts';
import { procedureRoutes } from '../operator/procedure.ts';
import { bindUcpPlatformProcedure } from './bind-platform.route.ts';
import { type Deps, operationRoutes } from './operations.route.ts';
import { PlatformProfiles } from './platform-profiles.cache.ts';
import { profileRoutes } from './profile.route.ts';
import { rotateUcpKeyProcedure } from './rotate-key.route.ts';
import { createSigningKeys } from './signing-keys.cache.ts';

type RoomDeps = Omit<Deps, 'signingKeys' | 'profiles'> & { publicHttp: PublicHttp };

/** The Universal Commerce Protocol; nothing of it with `UCP=off`. */
export function ucpRoutes(http: Http, deps: RoomDeps): void {
  const { ucp } = deps.config;
  if (ucp === 'off') return;
  const own = { ...deps, signingKeys: createSigningKeys(deps), profiles: new PlatformProfiles(deps) };
  profileRoutes(http, own);
  operationRoutes(http, own);
  procedureRoutes(http, deps, recorderOf(deps), [rotateUcpKeyProcedure]);
  if (ucp === 'draft') procedureRoutes(http, deps, recorderOf(deps), [bindUcpPlatformProcedure]);
}
