import { lookup, Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** All addresses of a host name; rejects or is empty for a name without address. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

const LOOKUP_TIMEOUT_MS = 2000;
const LOOKUP_TRIES = 2;
/** Look-ups are kept this long, so that a busy endpoint's name is not asked for at every call. */
const KEEP_MS = 10_000;
const KEPT_NAMES = 1000;

/** Asks name servers only: no hosts file, no search domains, no thread of the system's resolver. */
export function createPublicResolver(): ResolveName {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: LOOKUP_TRIES });
  return rememberAddresses(async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  });
}

/** As the system does, for development: `localhost` and the names of a container network are known to it. */
export function createSystemResolver(): ResolveName {
  return rememberAddresses(async (name) => (await lookup(name, { all: true })).map(({ address }) => address));
}

/** Shares running look-ups, and keeps the addresses of a name for some seconds; a name without address is looked up again. */
export function rememberAddresses(resolve: ResolveName): ResolveName {
  const known = new LRUCache<string, readonly string[]>({
    max: KEPT_NAMES,
    ttl: KEEP_MS,
    // A look-up that other names push out still answers the calls that wait for it.
    ignoreFetchAbort: true,
    fetchMethod: (name) => resolve(name),
  });
  return async (name) => {
    const addresses = await known.forceFetch(name);
    if (addresses.length === 0) known.delete(name);
    return addresses;
  };
}
