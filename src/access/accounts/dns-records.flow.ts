import ipaddr from 'ipaddr.js';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { Branding } from './branding.ts';
import {
  type CheckedRecord,
  type DnsLookup,
  type DnsRecord,
  judgeRecord,
  mailDomainOf,
  senderRecords,
  trackingRecords,
} from './dns-records.ts';

/** The service's own addresses, which the DNS records of accounts point to. */
export type Operator = { mailFrom: string; trackingUrl: string };

/** Lists the DNS records that a branding needs, in the order that people set them. */
export async function listRecords(
  branding: Pick<Branding, 'fromAddress' | 'trackingHost'>,
  operator: Operator,
  lookUp: DnsLookup,
): Promise<DnsRecord[]> {
  const { fromAddress, trackingHost } = branding;
  const ofSender = fromAddress === null ? [] : senderRecords(fromAddress, mailDomainOf(operator.mailFrom));
  if (trackingHost === null) return ofSender;
  return [...ofSender, ...trackingRecords(trackingHost, await findServiceAddresses(operator.trackingUrl, lookUp))];
}

export function checkRecords(records: readonly DnsRecord[], lookUp: DnsLookup): Promise<CheckedRecord[]> {
  return Promise.all(records.map(async (record) => judgeRecord(record, await lookUpRecord(lookUp, record))));
}

/** Finds the tracking site's addresses; empty if its URL has only a local name or a name unknown to DNS. */
async function findServiceAddresses(trackingUrl: string, lookUp: DnsLookup): Promise<readonly string[]> {
  const name = new URL(trackingUrl).hostname.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(name)
    ? [name]
    : await Promise.all((['A', 'AAAA'] as const).map((type) => lookUpRecord(lookUp, { type, name })));
  return addresses.flatMap((found) => found ?? []).filter(isRemotelyReachable);
}

const isRemotelyReachable = (address: string) => !['loopback', 'unspecified'].includes(ipaddr.parse(address).range());

/** Returns undefined if DNS did not answer. */
async function lookUpRecord(lookUp: DnsLookup, { type, name }: Pick<DnsRecord, 'type' | 'name'>) {
  try {
    return await lookUp(type, name);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return undefined;
  }
}
