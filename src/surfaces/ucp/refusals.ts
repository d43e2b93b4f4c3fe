import type { CodesOf } from '../../platform/http/refusal.ts';

/** Refusals of the Universal Commerce Protocol, under its names. */
export const UCP_REFUSALS = {
  400: {
    invalid_profile_url: 'A UCP request names no profile of its platform, or one at an address that is not allowed.',
    digest_mismatch: 'The `Content-Digest` of a UCP request is not that of its body.',
    algorithm_unsupported: 'The key that signed a UCP request is neither ECDSA on P-256 nor Ed25519.',
    request_too_large: 'A UCP request names more products than are read at once.',
    unsupported_credential: 'A UCP request pays with the number of a card.',
    idempotency_key_required: 'A UCP request that completes or cancels a checkout has no `Idempotency-Key`.',
  },
  401: {
    signature_invalid: 'The signature of a UCP request is not valid for it.',
    identity_required: 'A UCP request has a token that is not valid any more, or none where orders are read.',
    key_not_found: "The platform's profile has no key with the ID that a signature names.",
  },
  409: { session_ended: 'The UCP checkout was completed, canceled or has expired.' },
  422: {
    profile_malformed: "The platform's profile is not one of UCP.",
    version_unsupported: 'The platform speaks another version of UCP.',
  },
  424: { profile_unreachable: "The platform's profile could not be read." },
} as const;

declare module '../../platform/http/refusal.ts' {
  interface RefusalCodes extends CodesOf<typeof UCP_REFUSALS> {}
}
