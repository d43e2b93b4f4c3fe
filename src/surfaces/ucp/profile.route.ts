import type { Http } from '../../platform/http/http.ts';
import { etagMatches } from '../../platform/http/json-pieces.ts';
import { staticAnswer } from '../../platform/http/static-answer.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { type BusinessDeps, findBusiness, siteOf } from './business.flow.ts';
import { type Binding, businessProfile, MENU_SCHEMA_PATH, PATHS } from './profile.ts';
import { menuSchema } from './read-menu.flow.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';
import { PROFILE_SECONDS } from './signing-keys.ts';

type Deps = BusinessDeps & { signingKeys: ReadSigningKeys };

/** GET /.well-known/ucp, which has released capabilities only, and the draft's profile, which nothing links. */
export function profileRoutes(http: Http, deps: Deps): void {
  const { ucp, baseUrl } = deps.config;
  profileRoute(http, deps, 'released', '/.well-known/ucp');
  if (ucp !== 'draft') return;
  profileRoute(http, deps, 'draft', `${PATHS.draft}/profile`);
  const schema = staticAnswer('application/schema+json', () => JSON.stringify(menuSchema(baseUrl)));
  http.get(MENU_SCHEMA_PATH, { schema: { hide: true }, config: { public: true } }, schema);
}

function profileRoute(http: Http, deps: Deps, binding: Binding, path: string): void {
  http.get(path, { schema: { hide: true }, config: { public: true } }, async (request, reply) => {
    const site = siteOf(await findBusiness(deps, request.headers.host), binding);
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
