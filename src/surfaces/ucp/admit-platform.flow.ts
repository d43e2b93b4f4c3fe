import { isInnerList, parseDictionary } from 'structured-headers';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Message } from './contract.ts';
import { readSignatures, type SignedRequest, verifySignature } from './message-signature.ts';
import { negotiate, type Platform } from './negotiate.ts';
import type { PlatformProfiles } from './platform-profiles.cache.ts';
import { RELEASED, VERSION } from './profile.ts';

/** A request of a platform, before its operation: who asks, whether that is proven, and what both sides speak. */

export type PlatformDeps = { clock: Clock; profiles: PlatformProfiles };
type PlatformRequest = { profileUrl: string; capability: string; client: string; signed: SignedRequest };

/** What an answer says of the protocol. */
export type Envelope = {
  version: string;
  status: 'success' | 'error';
  capabilities: Readonly<Record<string, readonly { version: string }[]>>;
};

/** The answer to a platform that lacks the operation's capability: an outcome, no refusal. */
export type Incompatible = { ucp: Envelope; messages: Message[] };

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
 * Reads the platform's profile, checks its version and the request's signatures, and negotiates. Returns the envelope
 * of the operation's answer, or the whole answer if the platform lacks the capability.
 */
export async function admitPlatform(deps: PlatformDeps, request: PlatformRequest): Promise<Envelope | Incompatible> {
  const { profileUrl, client, capability, signed } = request;
  const platform = await deps.profiles.of(profileUrl, client);
  if (platform.version !== VERSION) {
    throw new Refusal('version_unsupported', `This business speaks version ${VERSION}, and your profile another one.`);
  }
  await verifySignatures(deps, request, platform, signed);
  const version = negotiate(RELEASED, platform).get(capability);
  const envelope = { version: VERSION, capabilities: version === undefined ? {} : { [capability]: [{ version }] } };
  if (version !== undefined) return { ...envelope, status: 'success' };
  const content = `Your profile lacks ${capability} of ${VERSION}.`;
  return {
    ucp: { ...envelope, status: 'error' },
    messages: [{ type: 'error', code: 'capabilities_incompatible', content, severity: 'unrecoverable' }],
  };
}

/** Refuses a request that has signatures of which none is the platform's, with the fault of the last one. */
async function verifySignatures(
  { clock, profiles }: PlatformDeps,
  { profileUrl, client }: PlatformRequest,
  platform: Platform,
  request: SignedRequest,
): Promise<void> {
  const candidates = readSignatures(request);
  let fault: unknown;
  for (const candidate of candidates) {
    const keyIn = ({ keys }: Platform) => keys.find(({ kid }) => kid === candidate.keyId);
    const key = keyIn(platform) ?? keyIn(await profiles.again(profileUrl, client));
    try {
      if (!key) throw new Refusal('key_not_found', 'Your profile has no key with the ID of the signature.');
      verifySignature(request, candidate, key, clock.now());
      return;
    } catch (error) {
      fault = error;
    }
  }
  if (fault !== undefined) throw fault;
}
