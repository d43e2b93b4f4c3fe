/** The codes of RFC 6749, 7591 and 8707 that programs get as JSON or in a redirect. */
export type OauthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** An error of the sign-in's protocol, as its programs read it. */
export class OauthError extends Error {
  readonly code: OauthCode;

  constructor(code: OauthCode, description: string) {
    super(description);
    this.name = 'OauthError';
    this.code = code;
  }
}
