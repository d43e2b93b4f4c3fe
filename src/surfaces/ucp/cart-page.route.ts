import { type Static, Type } from 'typebox';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { type ShopDeps, sendShop } from '../shop/shop.route.ts';
import { refusalPageOf } from '../tracking/site-page.hook.ts';
import { type BusinessDeps, findBusiness } from './business.flow.ts';
import { CART_LINK, type CartDeps, findHanded, readHanded } from './change-cart.flow.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 64 }) });
const Query = Type.Object({ key: Type.Optional(Type.String({ maxLength: 64 })) }, { additionalProperties: true });

/** The shop's page with a copy of the cart that a platform filled, so the platform's cart never changes. */
export function cartPageRoutes(http: Http, deps: ShopDeps & BusinessDeps & CartDeps): void {
  for (const prefix of ['', '/shop']) {
    const config = { public: true, refusalPage: refusalPageOf(deps) } as const;
    const options = { schema: { hide: true, params: Params, querystring: Query }, config } as const;
    http.get(`${prefix}/cart/:id`, options, async (request, reply) => {
      const { id } = request.params as Static<typeof Params>;
      const { key = '' } = request.query as Static<typeof Query>;
      const { hosted } = await findBusiness(deps, request.headers.host);
      const isOpen = deps.tokens.isSignature(CART_LINK, Buffer.from(id), key);
      const cart = hosted && isOpen ? await findHanded(deps, id, hosted.shop) : undefined;
      if (!hosted || !cart || hosted.isOwnHost !== (prefix === '')) throw noCart();
      const handedCart = await readHanded(deps, hosted, cart);
      return sendShop(http, deps, hosted, { kind: 'store', storeId: cart.storeId, ...handedCart }, request, reply);
    });
  }
}

const noCart = () => new Refusal('route_not_found', 'There is no such cart, or it has expired.');
