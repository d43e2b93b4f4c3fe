import { sha256 } from '../../platform/lib/sha256.ts';

/** Ties a response of the issuer to the browser that started the sign-in: state, nonce and the PKCE code verifier. */
export type SignInSecrets = { state: string; nonce: string; codeVerifier: string };

/**
 * Derives the secrets of a sign-in from the random text in the browser's cookie, so that nothing is stored. None of
 * them reveals another or the cookie.
 */
export function signInSecrets(browser: string): SignInSecrets {
  const derive = (use: string) => sha256(`${use} ${browser}`).toString('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('verifier') };
}

/** An OpenID Connect issuer. Both throw an OutsideError if it does not respond. */
export type IdentityProvider = {
  /** Returns the URL where a browser signs in at the issuer. */
  authorizationUrl(secrets: SignInSecrets): Promise<string>;
  /**
   * Checks the browser's query and the issuer's signed answer; returns the verified email in lower case, or undefined
   * if any check fails.
   */
  verifiedEmail(query: string, secrets: SignInSecrets): Promise<string | undefined>;
};
