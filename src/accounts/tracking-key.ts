import type { TokenSealer } from '../lib/tokens.ts';

const KIND = 'tracking-key';

/** Makes the keys of tracking links: each the permission of one order's customer, which nobody derives from the id. */
export function createTrackingKeys(tokens: Pick<TokenSealer, 'sign'>): (orderId: string) => string {
  return (orderId) => tokens.sign(KIND, Buffer.from(orderId));
}

export function isTrackingKey(tokens: Pick<TokenSealer, 'isSignature'>, orderId: string, key: string): boolean {
  return tokens.isSignature(KIND, Buffer.from(orderId), key);
}
