import type { Config } from '../../platform/config/config.ts';
import type { Http } from '../../platform/http/http.ts';
import { etagMatches } from '../../platform/http/json-pieces.ts';
import { staticAnswer } from '../../platform/http/static-answer.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { businessProfile, MENU_SCHEMA_PATH } from './profile.ts';
import { menuSchema } from './read-menu.flow.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';

/** The minimum that the protocol allows, so that a new key is soon seen. */
const MAX_AGE_SECONDS = 60;

type Deps = { config: Pick<Config, 'baseUrl' | 'ucp'>; signingKeys: ReadSigningKeys };

/** GET /.well-known/ucp, which has released capabilities only, and the draft's profile, which nothing links. */
export function profileRoutes(http: Http, deps: Deps): void {
  profileRoute(http, '/.well-known/ucp', { ...deps, config: { ...deps.config, ucp: 'released' } });
  if (deps.config.ucp !== 'draft') return;
  profileRoute(http, '/ucp/draft/profile', deps);
  const schema = staticAnswer('application/schema+json', () => JSON.stringify(menuSchema(deps.config.baseUrl)));
  http.get(MENU_SCHEMA_PATH, { schema: { hide: true }, config: { public: true } }, schema);
}

function profileRoute(http: Http, path: string, { config, signingKeys }: Deps): void {
  http.get(path, { schema: { hide: true }, config: { public: true } }, async (request, reply) => {
    const keys = await signingKeys();
    const published = keys.map(({ jwk }) => jwk);
    const profile = businessProfile(config, published);
    const body = JSON.stringify(profile);
    const etag = `"${sha256(body).toString('base64url').slice(0, 27)}"`;
    reply.header('etag', etag).allowCaching(`public, max-age=${MAX_AGE_SECONDS}`);
    if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json').send(body);
  });
}
