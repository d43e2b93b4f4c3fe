export type DnsRecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';

/**
 * What DNS holds under a name: addresses, names in lower case without the final dot, texts in one piece each; none
 * where there is no such record. Rejects with OutsideError where no answer comes in time.
 */
export type DnsLookup = (type: DnsRecordType, name: string) => Promise<readonly string[]>;
