import { createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 8;

/** Seals bytes into opaque tokens and opens them again; a token that was not sealed here opens to undefined. */
export type TokenSealer = {
  /** `kind` is one byte that separates sorts of tokens: one sealed as a product never opens as a category. */
  seal(kind: string, payload: Uint8Array): string;
  open(kind: string, token: string): Buffer | undefined;
};

/** The same secret gives the same tokens on every node and after every restart. */
export function createTokenSealer(secret: string): TokenSealer {
  const macOf = (kind: string, payload: Uint8Array) =>
    createHmac('sha256', secret).update(kind).update(payload).digest().subarray(0, MAC_BYTES);
  return {
    seal: (kind, payload) => Buffer.concat([payload, macOf(kind, payload)]).toString('base64url'),
    open(kind, token) {
      if (token.length > 256) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
      const payload = bytes.subarray(0, -MAC_BYTES);
      return timingSafeEqual(bytes.subarray(-MAC_BYTES), macOf(kind, payload)) ? payload : undefined;
    },
  };
}
