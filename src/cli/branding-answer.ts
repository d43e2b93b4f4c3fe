import { type Branding, DEFAULT_DISPLAY_NAME } from '../accounts/branding.ts';
import type { CheckedRecord, DnsRecord } from '../accounts/dns-records.ts';
import { tableOf } from './output.ts';

export function presentBranding(branding: Branding) {
  const { favicon } = branding;
  return {
    account_id: branding.accountId,
    display_name: branding.displayName,
    logo_url: branding.logoUrl,
    from_address: branding.fromAddress,
    bcc_address: branding.bccAddress,
    favicon: favicon && { type: favicon.type, size: favicon.bytes.length },
    tracking_host: branding.trackingHost,
  };
}

export function describeBranding(branding: Branding): string {
  const { favicon } = branding;
  const rows = [
    ['Display name', branding.displayName ?? `${DEFAULT_DISPLAY_NAME} (default)`],
    ['Logo', branding.logoUrl ?? '-'],
    ['Sender', branding.fromAddress ?? '-'],
    ['Blind copy', branding.bccAddress ?? '-'],
    ['Favicon', favicon ? `${favicon.type}, ${favicon.bytes.length} bytes` : '-'],
    ['Tracking host', branding.trackingHost ?? '-'],
  ];
  return tableOf(['ACCOUNT', branding.accountId], rows);
}

/** A table with a row for each value of each DNS record. */
export function describeRecords(records: readonly DnsRecord[]): string {
  const rows = records.flatMap(({ type, name, values, note }) =>
    (values.length > 0 ? values : ['?']).map((value) => [type, name, value, note ?? '']),
  );
  return tableOf(['TYPE', 'NAME', 'VALUE', ''], rows);
}

export function describeChecks(records: readonly CheckedRecord[]): string {
  const rows = records.map(({ state, type, name, values, found, required }) => [
    required || state === 'ok' ? state : `${state} (optional)`,
    type,
    name,
    values.join(', ') || '?',
    found.join(', ') || '-',
  ]);
  return tableOf(['STATE', 'TYPE', 'NAME', 'EXPECTED', 'FOUND'], rows);
}
