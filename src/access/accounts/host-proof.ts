import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';

const KIND = 'tracking-host';
const CHALLENGE = /^[\w-]{16,64}$/;

/**
 * Domain verification: the challenge path, requested through the tracking host to check that it reaches this service.
 */
export const HOST_PROOF_PATH = '/tracking/host';

export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Signs the challenge together with the host name, so another host cannot replay the response. */
export function hostProof(tokens: Pick<TokenSealer, 'sign'>, host: string, challenge: string): string {
  return tokens.sign(KIND, sha256(`${host}\n${challenge}`));
}

/** Verifies the response to a challenge; accepts signatures of the previous secret during a rotation. */
export function isHostProof(
  tokens: Pick<TokenSealer, 'isSignature'>,
  { host, challenge, text }: { host: string; challenge: string; text: string },
): boolean {
  return tokens.isSignature(KIND, sha256(`${host}\n${challenge}`), text);
}
