import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { sha256 } from '../../platform/lib/sha256.ts';

/**
 * Keys that sign answers: ECDSA on P-256 (ES256). A new key is published before it signs, so that no node signs with a
 * key that another node's profile lacks; a replaced one stays published for a week, for verifiers that cached it.
 */

const StoredKeys = Type.Array(
  Type.Object({
    /** PKCS #8 in PEM. */
    privateKey: Type.String(),
    createdAt: Type.String(),
    /** When the profile drops it; null for the current key. */
    retiresAt: Type.Union([Type.String(), Type.Null()]),
  }),
);
export type StoredKey = Static<typeof StoredKeys>[number];

/** A key as profiles publish it (RFC 7517). */
export type PublicJwk = { kid: string; kty: string; crv: string; x: string; y: string; use: 'sig'; alg: 'ES256' };
export type SigningKey = { privateKey: KeyObject; jwk: PublicJwk; createdAt: Temporal.Instant };

/** How long a profile may be cached, in seconds. */
export const PROFILE_SECONDS = 300;
/** Seconds from a key's creation to its first signature: every node and every cached profile includes it by then. */
export const PUBLISHED_FIRST_SECONDS = PROFILE_SECONDS + 120;
const KEPT_DAYS = 7;

/** Throws if the setting holds no list of keys. */
export function parseKeys(text: string): StoredKey[] {
  return Value.Parse(StoredKeys, JSON.parse(text));
}

/** Adds a new current key. The replaced ones stay published for seven days, or go at once. */
export function rotate(
  keys: readonly StoredKey[],
  privateKey: string,
  now: Temporal.Instant,
  { dropsOld }: { dropsOld: boolean },
): StoredKey[] {
  const retiresAt = now.add({ hours: KEPT_DAYS * 24 }).toString();
  const kept = dropsOld ? [] : keys.filter((key) => isPublished(key, now));
  return [
    ...kept.map((key) => ({ ...key, retiresAt: key.retiresAt ?? retiresAt })),
    { privateKey, createdAt: now.toString(), retiresAt: null },
  ];
}

/** Returns the published keys, oldest first. */
export function publishedKeys(keys: readonly StoredKey[], now: Temporal.Instant): SigningKey[] {
  return keys.filter((key) => isPublished(key, now)).map(openKey);
}

/** Returns the key that signs at a moment: the newest that every node's profile has. */
export function currentKey(keys: readonly SigningKey[], now: Temporal.Instant): SigningKey | undefined {
  const since = now.subtract({ seconds: PUBLISHED_FIRST_SECONDS });
  return keys.findLast(({ createdAt }) => Temporal.Instant.compare(createdAt, since) <= 0) ?? keys[0];
}

function isPublished({ retiresAt }: StoredKey, now: Temporal.Instant): boolean {
  return retiresAt === null || Temporal.Instant.compare(Temporal.Instant.from(retiresAt), now) > 0;
}

function openKey({ privateKey, createdAt }: StoredKey): SigningKey {
  const key = createPrivateKey(privateKey);
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  // The thumbprint of RFC 7638: the required members in alphabetical order.
  const kid = sha256(JSON.stringify({ crv, kty, x, y })).toString('base64url');
  return {
    privateKey: key,
    jwk: { kid, kty, crv, x, y, use: 'sig', alg: 'ES256' },
    createdAt: Temporal.Instant.from(createdAt),
  };
}
