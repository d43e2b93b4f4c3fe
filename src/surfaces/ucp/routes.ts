import type { PublicHttp } from 'doorstep/public-http';
import { operationRoutes } from '../../access/operations/operation-routes.route.ts';
import type { Http } from '../../platform/http/http.ts';
import type { ShopDeps } from '../shop/shop.route.ts';
import { bindUcpPlatformOperation } from './bind-platform.route.ts';
import { cartPageRoutes } from './cart-page.route.ts';
import { checkUcpShopOperation } from './check-shop.route.ts';
import { listUcpDeliveriesOperation } from './list-deliveries.route.ts';
import { type Deps, ucpOperationRoutes } from './operations.route.ts';
import { PlatformProfiles } from './platform-profiles.cache.ts';
import { profileRoute } from './profile.route.ts';
import { rotateUcpKeyOperation } from './rotate-key.route.ts';
import { createSigningKeys } from './signing-keys.cache.ts';

type RoomDeps = Omit<Deps, 'signingKeys' | 'profiles'> & ShopDeps & { publicHttp: PublicHttp };

/** The Universal Commerce Protocol; nothing of it with `UCP=off`. */
export function ucpRoutes(http: Http, deps: RoomDeps): void {
  if (deps.config.ucp === 'off') return;
  const own = { ...deps, signingKeys: createSigningKeys(deps), profiles: new PlatformProfiles(deps) };
  profileRoute(http, own);
  ucpOperationRoutes(http, own);
  cartPageRoutes(http, deps);
  operationRoutes(
    http,
    own,
    ['operator'],
    [rotateUcpKeyOperation, bindUcpPlatformOperation, listUcpDeliveriesOperation, checkUcpShopOperation],
  );
}
