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
    tracking_host_verified_at: branding.trackingHostVerifiedAt?.toString() ?? null,
    color: branding.color,
    help_url: branding.helpUrl,
    help_email: branding.helpEmail,
    help_phone: branding.helpPhone,
    customer_cancel: branding.customerCancel,
    reorder_url: branding.reorderUrl,
    on_its_way: branding.onItsWay,
    delivered: branding.delivered,
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
    ['Tracking host', hostInWords(branding)],
    ['Colour', branding.color ?? '-'],
    [
      'Help',
      [branding.helpUrl, branding.helpEmail, branding.helpPhone].filter((way) => way !== null).join(', ') || '-',
    ],
    ['Customers cancel', branding.customerCancel ? 'on' : 'off'],
    ['Reorder link', branding.reorderUrl ?? '-'],
    ['On its way', branding.onItsWay],
    ['Delivered', branding.delivered],
  ];
  return tableOf(['ACCOUNT', branding.accountId], rows);
}

function hostInWords({ trackingHost, trackingHostVerifiedAt }: Branding): string {
  if (trackingHost === null) return '-';
  const since = trackingHostVerifiedAt?.toString({ smallestUnit: 'second' });
  return since === undefined
    ? `${trackingHost} (not verified: links do not use it)`
    : `${trackingHost} (verified ${since})`;
}

/** A table with a row for each value of each DNS record. */
export function describeRecords(records: readonly DnsRecord[]): string {
  const rows = records.flatMap(({ type, name, values, note }) =>
    (values.length > 0 ? values : ['?']).map((value) => [type, name, value, note ?? '']),
  );
  return tableOf(['TYPE', 'NAME', 'VALUE', 'NOTE'], rows);
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
