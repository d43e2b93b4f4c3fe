import type { Http } from '../../platform/http/http.ts';
import { etagMatches } from '../../platform/http/json-pieces.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { type BusinessDeps, findBusiness, siteOf } from './business.flow.ts';
import { businessProfile } from './profile.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';
import { PROFILE_SECONDS } from './signing-keys.ts';

type Deps = BusinessDeps & { signingKeys: ReadSigningKeys };

/** GET /.well-known/ucp. */
export function profileRoute(http: Http, deps: Deps): void {
  http.get('/.well-known/ucp', { schema: { hide: true }, config: { public: true } }, async (request, reply) => {
    const site = siteOf(await findBusiness(deps, request.headers.host));
    const keys = await deps.signingKeys();
    const published = keys.map(({ jwk }) => jwk);
    const profile = businessProfile(site, published);
    const body = JSON.stringify(profile);
    const etag = `"${sha256(body).toString('base64url').slice(0, 27)}"`;
    reply.header('etag', etag).allowCaching(`public, max-age=${PROFILE_SECONDS}`);
    if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json').send(body);
  });
}
