import type { Config } from '../../platform/config/config.ts';
import type { Http } from '../../platform/http/http.ts';
import { etagMatches } from '../../platform/http/json-pieces.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { businessProfile } from './profile.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';

/** The minimum that the protocol allows, so that a new key is soon seen. */
const MAX_AGE_SECONDS = 60;

/** GET /.well-known/ucp (docs/ucp.md#discovery). */
export function profileRoute(
  http: Http,
  { config, signingKeys }: { config: Pick<Config, 'baseUrl'>; signingKeys: ReadSigningKeys },
): void {
  http.get('/.well-known/ucp', { schema: { hide: true }, config: { public: true } }, async (request, reply) => {
    const keys = await signingKeys();
    const profile = businessProfile(
      config.baseUrl,
      keys.map(({ jwk }) => jwk),
    );
    const body = JSON.stringify(profile);
    const etag = `"${sha256(body).toString('base64url').slice(0, 27)}"`;
    reply.headers({ etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` });
    if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json').send(body);
  });
}
