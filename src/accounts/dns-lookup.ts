export type DnsRecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';

/**
 * The DNS records of a name: addresses, names in lower case without the final dot, each text in one piece. Empty where
 * there is no such record. Rejects with OutsideError where no answer comes in time.
 */
export type DnsLookup = (type: DnsRecordType, name: string) => Promise<readonly string[]>;
