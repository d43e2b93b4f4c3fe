import type { TokenSealer } from '../lib/tokens.ts';

const KIND = 'tracking-key';

/** Signs order ids: the key of a tracking link is its customer's permission, and cannot be derived without the secret. */
export function createTrackingKeys(tokens: Pick<TokenSealer, 'sign'>): (orderId: string) => string {
  return (orderId) => tokens.sign(KIND, Buffer.from(orderId));
}

export function isTrackingKey(tokens: Pick<TokenSealer, 'isSignature'>, orderId: string, key: string): boolean {
  return tokens.isSignature(KIND, Buffer.from(orderId), key);
}
