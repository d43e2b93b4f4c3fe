import { hash, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 8;
const DIGEST_BYTES = 32;
/** The block size of SHA-256. */
const BLOCK_BYTES = 64;

/** Seals bytes into opaque tokens and opens them again; a token that was not sealed here opens to undefined. */
export type TokenSealer = {
  /** `kind` separates kinds of tokens: a token sealed as a product never opens as a category. */
  seal(kind: string, payload: Uint8Array): string;
  open(kind: string, token: string): Buffer | undefined;
};

/** The same secret gives the same tokens on every node and after every restart. */
export function createTokenSealer(secret: string): TokenSealer {
  const hmacOf = createHmacOf(secret);
  /** Scratch space that every token reuses. */
  let sealed = Buffer.alloc(64);
  const macOf = (kind: string, payload: Uint8Array) => hmacOf(kind, payload).slice(0, MAC_BYTES);
  return {
    seal(kind, payload) {
      const length = payload.length + MAC_BYTES;
      if (length > sealed.length) sealed = Buffer.alloc(length);
      sealed.set(payload);
      sealed.write(macOf(kind, payload), payload.length, 'latin1');
      return sealed.toString('base64url', 0, length);
    },
    open(kind, token) {
      if (token.length > 256) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
      const payload = bytes.subarray(0, -MAC_BYTES);
      const mac = Buffer.from(macOf(kind, payload), 'latin1');
      return timingSafeEqual(bytes.subarray(-MAC_BYTES), mac) ? payload : undefined;
    },
  };
}

/**
 * HMAC-SHA-256 of the kind and the payload, by its definition (RFC 2104), as a text with a character for each byte: a menu
 * may need ten thousand tokens at once, and two one-shot hashes cost a quarter of an HMAC object.
 */
function createHmacOf(secret: string): (kind: string, payload: Uint8Array) => string {
  const long = Buffer.from(secret);
  const key = long.length > BLOCK_BYTES ? hash('sha256', long, 'buffer') : long;
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  let inner = Buffer.alloc(4 * BLOCK_BYTES, 0x36);
  for (const [at, byte] of key.entries()) {
    outer[at] = 0x5c ^ byte;
    inner[at] = 0x36 ^ byte;
  }
  return (kind, payload) => {
    const payloadFrom = BLOCK_BYTES + Buffer.byteLength(kind);
    const length = payloadFrom + payload.length;
    if (length > inner.length) inner = Buffer.concat([inner], 2 * length);
    inner.write(kind, BLOCK_BYTES);
    inner.set(payload, payloadFrom);
    outer.write(hash('sha256', inner.subarray(0, length), 'latin1'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, 'latin1');
  };
}
