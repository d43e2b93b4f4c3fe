import * as openid from 'openid-client';
import type { IdentityProvider } from '../../access/sessions/identity-provider.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

type OpenidOptions = { issuer: string; clientId: string; clientSecret: string; redirectUrl: string };

const TIMEOUT_S = 10;

/** Signs in by OpenID Connect with discovery, the authorization code flow and PKCE. */
export function createOpenid({ issuer, clientId, clientSecret, redirectUrl }: OpenidOptions): IdentityProvider {
  let known: Promise<openid.Configuration> | undefined;
  /** Discovered once; a failed discovery is tried again. */
  const configuration = () => {
    known ??= discover().catch((error: unknown) => {
      known = undefined;
      throw outsideErrorOf(error);
    });
    return known;
  };

  async function discover(): Promise<openid.Configuration> {
    const isPlain = issuer.startsWith('http:');
    const options = { timeout: TIMEOUT_S, ...(isPlain ? { execute: [openid.allowInsecureRequests] } : {}) };
    const found = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), options);
    const server = found.serverMetadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication = methods.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost;
    const configured = new openid.Configuration(server, clientId, {}, authentication(clientSecret));
    configured.timeout = TIMEOUT_S;
    if (isPlain) openid.allowInsecureRequests(configured);
    // Checks the signature of ID tokens too, which the protocol leaves to TLS.
    openid.enableNonRepudiationChecks(configured);
    return configured;
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier }) {
      const url = openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUrl,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async verifiedEmail(query, { state, nonce, codeVerifier }) {
      const configured = await configuration();
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      };
      try {
        const tokens = await openid.authorizationCodeGrant(configured, new URL(`${redirectUrl}?${query}`), checks);
        const claims = tokens.claims();
        if (typeof claims?.email !== 'string' || claims.email_verified !== true) return undefined;
        return claims.email.toLowerCase();
      } catch (error) {
        if (isUnreachable(error)) throw outsideErrorOf(error);
        return undefined;
      }
    },
  };
}

/** Whether the issuer did not answer. Any other failure is a rejected response. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.message === 'fetch failed') return true;
  return 'code' in error && error.code === 'OAUTH_TIMEOUT';
}

/** Omits the response body, which may contain a code or a token. */
function outsideErrorOf(error: unknown): OutsideError {
  const reason = error instanceof Error ? error.message : 'no answer';
  return new OutsideError('OpenID issuer', reason, { retryable: true });
}
