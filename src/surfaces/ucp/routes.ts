import type { PublicHttp } from 'doorstep/public-http';
import { recorderOf } from '../../access/sessions/actions.db.ts';
import type { Http } from '../../platform/http/http.ts';
import { procedureRoutes } from '../operator/procedure.ts';
import type { ShopDeps } from '../shop/shop.route.ts';
import { bindUcpPlatformProcedure } from './bind-platform.route.ts';
import { cartPageRoutes } from './cart-page.route.ts';
import { checkUcpShopProcedure } from './check-shop.route.ts';
import { listUcpDeliveriesProcedure } from './list-deliveries.route.ts';
import { type Deps, operationRoutes } from './operations.route.ts';
import { PlatformProfiles } from './platform-profiles.cache.ts';
import { profileRoute } from './profile.route.ts';
import { rotateUcpKeyProcedure } from './rotate-key.route.ts';
import { createSigningKeys } from './signing-keys.cache.ts';

type RoomDeps = Omit<Deps, 'signingKeys' | 'profiles'> & ShopDeps & { publicHttp: PublicHttp };

/** The Universal Commerce Protocol; nothing of it with `UCP=off`. */
export function ucpRoutes(http: Http, deps: RoomDeps): void {
  if (deps.config.ucp === 'off') return;
  const own = { ...deps, signingKeys: createSigningKeys(deps), profiles: new PlatformProfiles(deps) };
  profileRoute(http, own);
  operationRoutes(http, own);
  cartPageRoutes(http, deps);
  procedureRoutes(http, own, recorderOf(deps), [
    rotateUcpKeyProcedure,
    bindUcpPlatformProcedure,
    listUcpDeliveriesProcedure,
    checkUcpShopProcedure,
  ]);
}
