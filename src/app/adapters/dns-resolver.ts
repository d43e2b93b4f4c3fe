import { Resolver } from 'node:dns/promises';
import { errorCode } from 'doorstep/files';
import type { DnsLookup, DnsRecordType } from '../../access/accounts/dns-records.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

const TIMEOUT_MS = 5000;
const MAX_DNS_TRIES = 2;
/** Error codes for a name, or a record type of it, that does not exist. */
const NONE = /^(ENOTFOUND|ENODATA)$/;

export type ResolverOptions = {
  /** `ADDRESS` or `ADDRESS:PORT`; by default the name servers of this machine. */
  servers?: readonly string[];
  /** Time limit per query, over all name servers. */
  timeoutMs?: number;
};

/** Queries name servers directly, without this machine's hosts file. */
export function createDnsResolver({ servers, timeoutMs = TIMEOUT_MS }: ResolverOptions = {}): DnsLookup {
  return async (type, name) => {
    const resolver = new Resolver({ timeout: timeoutMs / MAX_DNS_TRIES, tries: MAX_DNS_TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      return await ask(resolver, type, name);
    } catch (error) {
      const code = errorCode(error);
      if (NONE.test(code ?? '')) return [];
      throw new OutsideError('dns', `DNS did not respond for ${name} (${code}).`, { retryable: true, cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

async function ask(resolver: Resolver, type: DnsRecordType, name: string): Promise<string[]> {
  if (type === 'A') return resolver.resolve4(name);
  if (type === 'AAAA') return resolver.resolve6(name);
  if (type === 'TXT') return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  return (await resolver.resolveCname(name)).map((target) => target.toLowerCase().replace(/\.$/, ''));
}
