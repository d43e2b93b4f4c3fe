import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';

const KIND = 'tracking-host';
const CHALLENGE = /^[\w-]{16,64}$/;

/** The path at which a tracking host proves that it leads to this service. */
export const HOST_PROOF_PATH = '/tracking/host';

export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** The answer to a challenge that only this service can give, bound to this host: another host cannot reuse it. */
export function hostProof(tokens: Pick<TokenSealer, 'sign'>, host: string, challenge: string): string {
  return tokens.sign(KIND, sha256(`${host}\n${challenge}`));
}

/** Whether a text is such an answer; nodes that still use the previous secret are accepted too. */
export function isHostProof(
  tokens: Pick<TokenSealer, 'isSignature'>,
  { host, challenge, text }: { host: string; challenge: string; text: string },
): boolean {
  return tokens.isSignature(KIND, sha256(`${host}\n${challenge}`), text);
}
