import { createCipheriv, createDecipheriv, hash, timingSafeEqual } from 'node:crypto';

/*
 * Opaque tokens on the wire: bytes signed with a key derived from the service's secret, one per kind of token. Tokens
 * that are credentials are encrypted, too.
 */

const MAC_BYTES = 8;
/** Length of a link's MAC: 128 bits, because a link is a credential whose payload may be public. */
const LINK_MAC_BYTES = 16;
const CIPHER = 'aes-256-ctr';
const MAX_TOKEN_LENGTH = 256;
const DIGEST_BYTES = 32;
/** Block size of SHA-256. */
const BLOCK_BYTES = 64;

/** Seals bytes into opaque tokens and opens them; a token not sealed here opens to undefined. */
export type TokenSealer = {
  /** Seals bytes. `kind` separates token kinds: a product token never opens as a category. */
  seal(kind: string, payload: Uint8Array): string;
  open(kind: string, token: string): Buffer | undefined;
  /** Encrypts and authenticates a token that is a credential. */
  sealLink(kind: string, payload: Uint8Array): string;
  openLink(kind: string, token: string): Buffer | undefined;
  /** Signs a payload sent alongside its 22-letter signature, for links that must stay short. */
  sign(kind: string, payload: Uint8Array): string;
  isSignature(kind: string, payload: Uint8Array, signature: string): boolean;
};

/** The secret that seals, and previous secrets that still open tokens, so a rotation breaks no token. */
export type TokenSecrets = { current: string; previous: readonly string[] };

/** Derives all token keys from the secrets, so every node opens every token, also after a restart. */
export function createTokenSealer({ current, previous }: TokenSecrets): TokenSealer {
  const hmacOf = createHmacOf(current);
  const hmacs = [hmacOf, ...previous.map(createHmacOf)];
  /** Buffer reused for every token. */
  let sealed = Buffer.alloc(64);
  return {
    seal(kind, payload) {
      const length = payload.length + MAC_BYTES;
      if (length > sealed.length) sealed = Buffer.alloc(length);
      sealed.set(payload);
      sealed.write(hmacOf(kind, payload).slice(0, MAC_BYTES), payload.length, 'latin1');
      return sealed.toString('base64url', 0, length);
    },
    open(kind, token) {
      const bytes = decodeToken(token);
      if (!bytes || bytes.length <= MAC_BYTES) return undefined;
      const payload = bytes.subarray(0, -MAC_BYTES);
      const mac = bytes.subarray(-MAC_BYTES);
      return hmacs.some((hmac) => timingSafeEqual(mac, macOf(hmac, kind, payload, MAC_BYTES))) ? payload : undefined;
    },
    sealLink(kind, payload) {
      const mac = macOf(hmacOf, kind, payload, LINK_MAC_BYTES);
      const cipher = createCipheriv(CIPHER, linkKeyOf(hmacOf, kind), mac);
      return Buffer.concat([mac, cipher.update(payload)]).toString('base64url');
    },
    openLink(kind, token) {
      const bytes = decodeToken(token);
      if (!bytes || bytes.length <= LINK_MAC_BYTES) return undefined;
      const mac = bytes.subarray(0, LINK_MAC_BYTES);
      for (const hmac of hmacs) {
        const payload = createDecipheriv(CIPHER, linkKeyOf(hmac, kind), mac).update(bytes.subarray(LINK_MAC_BYTES));
        if (timingSafeEqual(mac, macOf(hmac, kind, payload, LINK_MAC_BYTES))) return payload;
      }
      return undefined;
    },
    sign: (kind, payload) => macOf(hmacOf, kind, payload, LINK_MAC_BYTES).toString('base64url'),
    isSignature(kind, payload, signature) {
      const mac = decodeToken(signature);
      if (mac?.length !== LINK_MAC_BYTES) return false;
      return hmacs.some((hmac) => timingSafeEqual(mac, macOf(hmac, kind, payload, LINK_MAC_BYTES)));
    },
  };
}

type Hmac = ReturnType<typeof createHmacOf>;

function macOf(hmac: Hmac, kind: string, payload: Uint8Array, length: number): Buffer {
  return Buffer.from(hmac(kind, payload).slice(0, length), 'latin1');
}

/**
 * Links use a synthetic IV as in RFC 5297: the payload's MAC is the IV, so equal payloads give equal links and
 * different ones never share a key stream. Each kind has its own key.
 */
const linkKeyOf = (hmac: Hmac, kind: string): Buffer => Buffer.from(hmac('encrypt ', Buffer.from(kind)), 'latin1');

/** Decodes canonical base64url; undefined for anything else. */
function decodeToken(token: string): Buffer | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  return bytes.toString('base64url') === token ? bytes : undefined;
}

/**
 * Computes the HMAC-SHA-256 of kind and payload (RFC 2104) as binary text. Menus need ten thousand tokens at once, and
 * two one-shot hashes cost a quarter of an HMAC object.
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
