import { present } from 'doorstep/collections';
import { isInnerList, parseDictionary } from 'structured-headers';
import type { TObject } from 'typebox';
import { type AgentOrders, type Caller, type KeyCaller, keyRefusal } from '../../access/accounts/account.ts';
import type { Authenticate } from '../../access/accounts/authenticate.hook.ts';
import type { CustomerCaller } from '../../access/customers/authenticate-customer.hook.ts';
import type { Context } from '../../platform/db/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { ToolHints } from '../agents/tool.ts';
import type { Business } from './business.flow.ts';
import type { Message } from './contract.ts';
import { readSignatures, type SignedRequest, verifySignature } from './message-signature.ts';
import { type Negotiated, negotiate, type ReadProfile } from './negotiate.ts';
import type { PlatformProfiles } from './platform-profiles.cache.ts';
import { findPlatform } from './platforms.db.ts';
import { type OwnCapabilities, VERSION } from './profile.ts';

/** A platform's request before its operation: the caller, its proof, and the common version. */

export type PlatformDeps = Context & { profiles: PlatformProfiles; authenticate: Authenticate };
type PlatformRequest = {
  profileUrl: string;
  /** The business at the host, and its capabilities. */
  business: Business;
  own: OwnCapabilities;
  operation: Pick<Operation<never>, 'capability'>;
  client: string;
  /** An account's key, which may stand for a signature; '' without one. */
  key: string;
  /** Whom a token of the request acts for. */
  customer: CustomerCaller | undefined;
  signed: SignedRequest;
};

/** An operation: its call by either transport, its inputs, and its output next to the envelope. */
export type Operation<Deps> = {
  method: 'GET' | 'POST' | 'PUT';
  /** Below `/ucp`. */
  paths: readonly string[];
  tool: string;
  title: string;
  description: string;
  hints: ToolHints;
  capability: string;
  /** Whether it returns 201 for a new object. */
  creates?: true;
  /** Whether an `Idempotency-Key` is read, or needed, everywhere or by its tool alone. */
  idempotency?: 'optional' | 'needed' | 'needed by tool';
  /** Whether its responses are too many to be signed. */
  isUnsigned?: true;
  /** The arguments of its tool alongside `meta`. */
  input: TObject;
  /** The output of its tool. */
  output?: object;
  /** The argument that is the body over REST. */
  bodyName?: string;
  run(deps: Deps, call: Call): Promise<object>;
};

/** True for operations that change something, and for operations that end it. */
export const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
export const ENDS = { ...CHANGES, destructiveHint: true, idempotentHint: true };

/** A call of an admitted platform. `given` contains the values of the path and the query. */
export type Call = { body: unknown; given: Readonly<Record<string, unknown>>; admitted: Admitted; asking: Asking };

const ID = /^[\w-]{1,100}$/;
/** The ID that a call names; '' without one, which matches nothing. */
export const idOf = ({ given: { id } }: Pick<Call, 'given'>): string =>
  typeof id === 'string' && ID.test(id) ? id : '';

/** Who asks. */
export type Asking = {
  /** The account of a bound platform that has proven who it is, otherwise the account of the shop at the host. */
  caller: Caller | undefined;
  /** The only stores of that shop; null for all. */
  storeIds: readonly string[] | null;
  client: string;
  language: Language;
  isLanguageGiven: boolean;
  /** Whether an earlier attempt at the call may have been carried out. */
  isRepeated: boolean;
};

/** A platform's permissions here. */
export type Admitted = {
  business: Business;
  profileUrl: string;
  /** Whether the platform has proven who it is. */
  isProven: boolean;
  envelope: Envelope;
  negotiated: Negotiated;
  bound: { caller: KeyCaller; profileUrl: string; orders: AgentOrders } | undefined;
  /** Whom the platform acts for, by a token. */
  customer: CustomerCaller | undefined;
};

/** The protocol's part of a response. */
export type Envelope = {
  version: string;
  status: 'success' | 'error';
  capabilities: Readonly<Record<string, readonly { version: string; extends?: string | readonly string[] }[]>>;
};

/** A response without a resource: an outcome, no error. */
export type Outcome = { ucp: Envelope; messages: Message[]; continue_url?: string };

/** Returns the address that `UCP-Agent` names (a dictionary of RFC 8941). */
export function profileOfHeader(header: string | string[] | undefined): string {
  try {
    const member = parseDictionary([header ?? ''].flat().join(', ')).get('profile');
    if (member && !isInnerList(member) && typeof member[0] === 'string') return member[0];
  } catch {
    // Not a dictionary, so it names no profile.
  }
  throw new Refusal('invalid_profile_url', 'Name your profile in the header UCP-Agent: profile="https://…".');
}

/**
 * Reads the platform's profile, checks its version and the request's signatures, and negotiates. Returns the
 * operation's input, or the whole response if the platform lacks the capability.
 */
export async function admitPlatform(deps: PlatformDeps, request: PlatformRequest): Promise<Admitted | Outcome> {
  const { profileUrl, client, operation, signed, own } = request;
  const { capability } = operation;
  const platform = await deps.profiles.of(profileUrl, client);
  if (platform.version !== VERSION) {
    throw new Refusal(
      'version_unsupported',
      `This business supports version ${VERSION}, but your profile declares a different one.`,
    );
  }
  const isSigned = await verifySignatures(deps, request, platform, signed);
  const bound = await findBound(deps, request, isSigned);
  const negotiated = negotiate(own, platform);
  if (!negotiated.has(capability)) {
    const content = `Your profile lacks ${capability} of ${VERSION}.`;
    return {
      ucp: { version: VERSION, capabilities: {}, status: 'error' },
      messages: [{ type: 'error', code: 'capabilities_incompatible', content, severity: 'unrecoverable' }],
    };
  }
  const relevant = [...negotiated].flatMap(([name, version]) => {
    const parents = own[name]?.extends;
    const isShown = name === capability || [parents ?? []].flat().includes(capability);
    return isShown ? [[name, [{ version, ...present({ extends: parents }) }]] as const] : [];
  });
  const capabilities = Object.fromEntries(relevant);
  const envelope: Envelope = { version: VERSION, capabilities, status: 'success' };
  return {
    business: request.business,
    profileUrl,
    isProven: isSigned || bound !== undefined,
    envelope,
    negotiated,
    bound,
    customer: request.customer,
  };
}

/** Finds the account that a platform is bound to, if it has proven who it is: by a signature or the account's key. */
async function findBound(
  { db, authenticate }: PlatformDeps,
  { profileUrl, business: { hosted }, key, client }: PlatformRequest,
  isSigned: boolean,
): Promise<Admitted['bound']> {
  const owner = isSigned || key === '' ? undefined : await authenticateOwner();
  if (!isSigned && !owner) return undefined;
  const platform = await findPlatform(db, profileUrl);
  const isOther = [owner, hosted?.shop].some(
    (one) => one && (one.accountId !== platform?.accountId || one.mode !== platform.mode),
  );
  if (!platform || isOther) return undefined;
  const { accountId, mode, orders } = platform;
  const scopes = ['read', 'order'] as const;
  const caller = owner ?? { accountId, mode, keyId: `ucp:${accountId}`, scopes, origins: null };
  return { caller, profileUrl, orders };

  /** An invalid key, or a key without the scope `order`, proves nothing. */
  async function authenticateOwner(): Promise<KeyCaller | undefined> {
    try {
      const found = await authenticate(key, { client: { name: client } });
      return keyRefusal(found, { scope: 'order' }) ? undefined : found;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  }
}

/**
 * Whether a request is signed by the platform. Refuses a request whose signatures are all invalid, with the error of
 * the last one.
 */
async function verifySignatures(
  { clock, profiles }: PlatformDeps,
  { profileUrl, client }: PlatformRequest,
  platform: ReadProfile,
  request: SignedRequest,
): Promise<boolean> {
  const candidates = readSignatures(request);
  let fault: unknown;
  for (const candidate of candidates) {
    const keyIn = ({ keys }: ReadProfile) => keys.find(({ kid }) => kid === candidate.keyId);
    const key = keyIn(platform) ?? keyIn(await profiles.again(profileUrl, client));
    try {
      if (!key) throw new Refusal('key_not_found', "Your profile contains no key with the signature's key ID.");
      verifySignature(request, candidate, key, clock.now());
      return true;
    } catch (error) {
      fault = error;
    }
  }
  if (fault !== undefined) throw fault;
  return false;
}
