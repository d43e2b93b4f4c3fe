import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { parseJsonObject } from '../../platform/lib/json-object.ts';
import { PLATFORM_PROFILE, type PlatformProfile } from './contract.ts';
import { type OwnCapabilities, SHOP_ORDER, VERSION } from './profile.ts';

/** The capabilities that both sides support: a platform's profile against ours. */

/** The part of a platform's profile that requests are checked against. */
export type ReadProfile = {
  version: string;
  /** Versions by name of a capability. */
  capabilities: ReadonlyMap<string, readonly string[]>;
  keys: NonNullable<PlatformProfile['keys']>;
  /** The address for order events, if the profile names one. */
  ordersUrl?: string;
};

/** Negotiated capabilities: versions by name. */
export type Negotiated = ReadonlyMap<string, string>;

const ProfileSchema = Type.Unsafe<PlatformProfile>(PLATFORM_PROFILE);

/** Reads a platform's profile; undefined if it is not one. Keys of unknown kinds are no error. */
export function readProfile(text: string): ReadProfile | undefined {
  const profile = parseJsonObject(text);
  if (profile === undefined || !Value.Check(ProfileSchema, profile)) return undefined;
  const { ucp, keys = [] } = profile;
  const capabilities = Object.entries(ucp.capabilities ?? {}).map(
    ([name, declared]) => [name, declared.map(({ version }) => version)] as const,
  );
  const ordersUrl = ucp.capabilities?.[SHOP_ORDER]?.find(({ version }) => version === VERSION)?.config?.webhook_url;
  return {
    version: ucp.version,
    capabilities: new Map(capabilities),
    keys,
    ...(typeof ordersUrl === 'string' && URL.canParse(ordersUrl) ? { ordersUrl } : {}),
  };
}

/** Returns our capabilities that the platform has in exactly our version, without extensions of absent ones. */
export function negotiate(own: OwnCapabilities, { capabilities }: Pick<ReadProfile, 'capabilities'>): Negotiated {
  const shared = Object.entries(own).filter(([name, { version }]) => capabilities.get(name)?.includes(version));
  let names = shared.map(([name]) => name);
  for (let before = -1; before !== names.length; ) {
    before = names.length;
    const parents: ReadonlySet<string> = new Set(names);
    names = names.filter((name) => {
      const { extends: extended } = own[name] ?? {};
      return extended === undefined || [extended].flat().some((parent) => parents.has(parent));
    });
  }
  return new Map(shared.flatMap(([name, { version }]) => (names.includes(name) ? [[name, version]] : [])));
}
