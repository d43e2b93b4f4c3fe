import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import {
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  parseDictionary,
  serializeDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers';
import { Refusal } from '../../platform/http/refusal.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { ReadProfile } from './negotiate.ts';
import type { SigningKey } from './signing-keys.ts';

/** HTTP message signatures (RFC 9421) with content digests (RFC 9530), as the protocol profiles them. */

/** A received request: `target` is path and query as sent, `authority` the service's own. */
export type SignedRequest = {
  method: string;
  target: string;
  authority: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
};

/** One signature of a request. `components` is its list of covered components with its parameters. */
export type Candidate = { keyId: string; components: InnerList; signature: Buffer };

const MAX_SIGNATURES = 4;
/** Seconds a signer's clock may be ahead, and the lifetime of a signature without an end. */
const MAX_SKEW_S = 60;
const MAX_AGE_S = 300;
/** The member that is read of a header, where a signature may cover single members. */
const MEMBERS_READ: Readonly<Record<string, string>> = { 'content-digest': 'sha-256', 'ucp-agent': 'profile' };
const COVERED_IF_SENT = ['ucp-agent', 'idempotency-key', 'signature-agent'];
/** The algorithm of each curve: the name in signatures, and the digest that Node needs. */
const ALGORITHMS: Readonly<Record<string, { name: string; digest: string | null }>> = {
  'P-256': { name: 'ecdsa-p256-sha256', digest: 'sha256' },
  Ed25519: { name: 'ed25519', digest: null },
};

const invalid = (detail: string) => new Refusal('signature_invalid', detail);

/**
 * Returns the signatures that cover everything that they must; none if the request is unsigned. Refuses malformed
 * signature headers with signature_invalid.
 */
export function readSignatures(request: SignedRequest): Candidate[] {
  const inputs = dictionaryOf(request, 'signature-input');
  const signatures = dictionaryOf(request, 'signature');
  const candidates = [...inputs].slice(0, MAX_SIGNATURES).flatMap(([label, components]): Candidate[] => {
    const [signature] = signatures.get(label) ?? [];
    if (!isInnerList(components) || !(signature instanceof ArrayBuffer))
      throw invalid(`Signature ${label} is incomplete.`);
    if (!coversAll(components, request)) return [];
    const keyId = components[1].get('keyid');
    if (typeof keyId !== 'string') throw invalid(`Signature ${label} names no key.`);
    return [{ keyId, components, signature: Buffer.from(signature) }];
  });
  if (inputs.size === 0 && signatures.size > 0) throw invalid('Signature-Input is missing.');
  return candidates;
}

function dictionaryOf({ headers }: SignedRequest, name: string): Dictionary {
  const text = [headers[name]].flat().join(', ');
  try {
    return text === '' ? new Map() : parseDictionary(text);
  } catch {
    throw invalid(`The header ${name} is not a dictionary of RFC 8941.`);
  }
}

/** Whether the signature binds the target, the body, and every header that says who asks or what. */
function coversAll([components]: InnerList, { target, headers, body }: SignedRequest): boolean {
  const isRead = (name: string, member: unknown) => (member ?? MEMBERS_READ[name]) === (MEMBERS_READ[name] ?? member);
  const read = components.filter(([name, parameters]) => isRead(String(name), parameters.get('key')));
  const covered: ReadonlySet<unknown> = new Set(read.map(([name]) => name));
  const needed = [
    ...['@method', '@authority', '@path'],
    ...(target.includes('?') ? ['@query'] : []),
    ...(body.length > 0 ? ['content-digest', 'content-type'] : []),
    ...COVERED_IF_SENT.filter((name) => headers[name] !== undefined),
  ];
  return needed.every((name) => covered.has(name));
}

/** Refuses a signature that is not the key's, or not of this request at this moment. */
export function verifySignature(
  request: SignedRequest,
  { components, signature }: Candidate,
  key: ReadProfile['keys'][number],
  now: Temporal.Instant,
): void {
  const algorithm = ALGORITHMS[key.crv ?? ''];
  const named = components[1].get('alg');
  if (!algorithm || (named !== undefined && named !== algorithm.name)) {
    throw new Refusal('algorithm_unsupported', 'Sign with ECDSA on P-256 or with Ed25519, as your key is.');
  }
  requireTime(components, epochSeconds(now));
  if (request.body.length > 0) requireDigest(request);
  const base = Buffer.from(signatureBase(components, (item) => componentOf(item, request)));
  const isOwn = verify(algorithm.digest, base, { key: openKey(key), dsaEncoding: 'ieee-p1363' }, signature);
  if (!isOwn) throw invalid('The signature does not fit the request.');
}

function openKey(jwk: ReadProfile['keys'][number]): KeyObject {
  try {
    return createPublicKey({ format: 'jwk', key: jwk });
  } catch {
    throw invalid('The key of the signature is no point of its curve.');
  }
}

function requireTime([, parameters]: InnerList, nowS: number): void {
  const { created = nowS, expires = Number(created) + MAX_AGE_S } = Object.fromEntries(parameters);
  // For a value that is no number neither is true.
  if (!(Number(created) <= nowS + MAX_SKEW_S)) throw invalid('The signature is from the future.');
  if (!(Number(expires) >= nowS)) throw invalid('The signature has expired.');
}

function requireDigest(request: SignedRequest): void {
  const [digest] = dictionaryOf(request, 'content-digest').get('sha-256') ?? [];
  if (digest instanceof ArrayBuffer && Buffer.from(digest).equals(sha256(request.body))) return;
  throw new Refusal('digest_mismatch', 'Content-Digest must have the SHA-256 of the body as it was sent.');
}

/** The text that is signed (RFC 9421, section 2.5). */
function signatureBase(list: InnerList, read: (item: Item) => string): string {
  const lines = list[0].map((item) => `${serializeItem(item)}: ${read(item)}`);
  if (new Set(lines).size < lines.length) throw invalid('The signature covers a component twice.');
  return [...lines, `"@signature-params": ${serializeInnerList(list)}`].join('\n');
}

function componentOf([name, parameters]: Item, request: SignedRequest): string {
  const [path = '', ...query] = request.target.split('?');
  const member = parameters.get('key');
  if (typeof member === 'string' && parameters.size === 1) return memberOf(request, String(name), member);
  if (parameters.size > 0) throw invalid('The signature covers a component in an unsupported form.');
  switch (name) {
    case '@method':
      return request.method;
    case '@authority':
      return request.authority;
    case '@path':
      return path;
    case '@query':
      return `?${query.join('?')}`;
    default:
      return headerOf(request, String(name));
  }
}

function headerOf({ headers }: SignedRequest, name: string): string {
  const value = headers[name];
  if (value === undefined) throw invalid(`The signature covers ${name.slice(0, 50)}, which the request lacks.`);
  return [value].flat().join(', ').trim();
}

/** A member of a header that is a dictionary (RFC 9421, section 2.1.2). */
function memberOf(request: SignedRequest, name: string, key: string): string {
  const member = dictionaryOf(request, name).get(key);
  if (member === undefined) throw invalid('The signature covers a missing member of a header.');
  return isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
}

/** Returns the headers that sign a response. */
export function signAnswer(
  key: SigningKey,
  { status, contentType, body }: { status: number; contentType: string; body: string },
  now: Temporal.Instant,
): Record<string, string> {
  const digest = digestOf(body);
  const values: Readonly<Record<string, string>> = {
    '@status': String(status),
    'content-digest': digest,
    'content-type': contentType,
  };
  return { 'content-digest': digest, ...signValues(key, values, now) };
}

/** Returns the headers of a signed request to a platform. */
export function signRequest(
  key: SigningKey,
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
  now: Temporal.Instant,
): Record<string, string> {
  const { host, pathname, search } = new URL(url);
  const target = { '@method': 'POST', '@authority': host, '@path': pathname, ...(search && { '@query': search }) };
  const sent = { ...headers, 'content-digest': digestOf(body) };
  return { ...sent, ...signValues(key, { ...target, ...sent }, now) };
}

const digestOf = (body: string) => serializeDictionary({ 'sha-256': new Uint8Array(sha256(body)) });

function signValues(
  { privateKey, jwk }: SigningKey,
  values: Readonly<Record<string, string>>,
  now: Temporal.Instant,
): Record<string, string> {
  const parameters = new Map<string, string | number>([
    ['created', epochSeconds(now)],
    ['keyid', jwk.kid],
  ]);
  const list: InnerList = [Object.keys(values).map((name): Item => [name, new Map()]), parameters];
  const base = Buffer.from(signatureBase(list, ([name]) => values[String(name)] ?? ''));
  const signature = sign('sha256', base, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    'signature-input': serializeDictionary({ sig1: list }),
    signature: serializeDictionary({ sig1: signature }),
  };
}
