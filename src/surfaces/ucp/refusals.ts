import type { CodesOf } from '../../platform/http/refusal.ts';

/** Errors of the Universal Commerce Protocol, under its names. */
export const UCP_REFUSALS = {
  400: {
    invalid_profile_url: 'A UCP request names no platform profile, or one at a forbidden address.',
    digest_mismatch: "The `Content-Digest` of a UCP request doesn't match its body.",
    algorithm_unsupported: 'The key that signed a UCP request is neither ECDSA on P-256 nor Ed25519.',
    request_too_large: 'A UCP request names too many products.',
    unsupported_credential: 'A UCP request contains a card number.',
    idempotency_key_required: 'A UCP request to complete or cancel a checkout lacks an `Idempotency-Key`.',
  },
  401: {
    signature_invalid: 'The signature of a UCP request is invalid.',
    identity_required: 'A UCP request contains an expired token, or reads orders without one.',
    key_not_found: "The platform's profile lacks the key that a signature names.",
  },
  409: { session_ended: 'The UCP checkout was completed, canceled or has expired.' },
  422: {
    profile_malformed: "The platform's profile isn't a UCP profile.",
    version_unsupported: 'The platform supports a different version of UCP.',
  },
  424: { profile_unreachable: "The platform's profile couldn't be read." },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof UCP_REFUSALS> {}
}
