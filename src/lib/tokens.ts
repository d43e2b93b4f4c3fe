import { hash, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 8;
/** 128 bits: a link is the permission to act, and its payload may be known to others. */
const LINK_MAC_BYTES = 16;
const DIGEST_BYTES = 32;
/** The block size of SHA-256. */
const BLOCK_BYTES = 64;

/** Seals bytes into opaque tokens and opens them again; a token that was not sealed here opens to undefined. */
export type TokenSealer = {
  /** `kind` separates kinds of tokens: a token sealed as a product never opens as a category. */
  seal(kind: string, payload: Uint8Array): string;
  open(kind: string, token: string): Buffer | undefined;
  /** The same for a token that is a permission by itself: nobody without the secret finds it in 2^128 tries. */
  sealLink(kind: string, payload: Uint8Array): string;
  openLink(kind: string, token: string): Buffer | undefined;
};

/** The secret that seals, and its predecessors, whose tokens still open: a rotation ends no token at once. */
export type TokenSecrets = { current: string; previous: readonly string[] };

/** The same secrets give the same tokens on every node and after every restart. */
export function createTokenSealer({ current, previous }: TokenSecrets): TokenSealer {
  const hmacOf = createHmacOf(current);
  const hmacs = [hmacOf, ...previous.map(createHmacOf)];
  /** Scratch space that every token reuses. */
  let sealed = Buffer.alloc(64);
  const seal = (macBytes: number, kind: string, payload: Uint8Array) => {
    const length = payload.length + macBytes;
    if (length > sealed.length) sealed = Buffer.alloc(length);
    sealed.set(payload);
    sealed.write(hmacOf(kind, payload).slice(0, macBytes), payload.length, 'latin1');
    return sealed.toString('base64url', 0, length);
  };
  const open = (macBytes: number, kind: string, token: string) => {
    if (token.length > 256) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length <= macBytes || bytes.toString('base64url') !== token) return undefined;
    const payload = bytes.subarray(0, -macBytes);
    const mac = bytes.subarray(-macBytes);
    const isSealedBy = (hmac: typeof hmacOf) =>
      timingSafeEqual(mac, Buffer.from(hmac(kind, payload).slice(0, macBytes), 'latin1'));
    return hmacs.some(isSealedBy) ? payload : undefined;
  };
  return {
    seal: (kind, payload) => seal(MAC_BYTES, kind, payload),
    open: (kind, token) => open(MAC_BYTES, kind, token),
    sealLink: (kind, payload) => seal(LINK_MAC_BYTES, kind, payload),
    openLink: (kind, token) => open(LINK_MAC_BYTES, kind, token),
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
