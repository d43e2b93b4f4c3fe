/*
 * DNS records that an account publishes so that mail and pages carry its own domain, and their comparison with what
 * DNS answers.
 */

export type DnsRecord = {
  purpose: 'dkim' | 'return_path' | 'spf' | 'dmarc' | 'tracking';
  type: DnsRecordType;
  name: string;
  /** Required values; empty if they depend on a missing service setting. */
  values: readonly string[];
  /** Whether mail fails without the record. */
  required: boolean;
  /** A sentence for the person who sets the record, if any. */
  note: string | null;
};

/** `different`: DNS has another value. `unknown`: DNS did not answer, or there is nothing to compare with. */
export type CheckedRecord = DnsRecord & { state: 'ok' | 'missing' | 'different' | 'unknown'; found: readonly string[] };

const SPF = /^v=spf1(\s|$)/i;
const DMARC = /^v=DMARC1\s*(;|$)/i;
const MAIL_FROM_FIRST = "MAIL_FROM must first name an address at the service's email domain.";
const TRACKING_URL_FIRST = "Its value is the service's public address, which can't be derived from TRACKING_URL.";

/** Returns the domain of an address, or of `NAME <ADDRESS>`; undefined for a name unknown to DNS, such as localhost. */
export function mailDomainOf(sender: string): string | undefined {
  return parseHostName(/@([^@<>]+)>?$/.exec(sender.trim())?.[1] ?? '');
}

/**
 * Lists DNS records that let the mail relay send for an address' domain. They point to DKIM keys and bounce hosts under
 * the operator's mail domain, which only the operator needs to change (docs/branding.md). Empty for the operator's own
 * domain.
 */
export function senderRecords(fromAddress: string, operatorDomain: string | undefined): DnsRecord[] {
  const domain = mailDomainOf(fromAddress);
  if (domain === undefined || domain === operatorDomain) return [];
  const note = operatorDomain === undefined ? MAIL_FROM_FIRST : null;
  const ofOperator = (prefix: string) => (operatorDomain === undefined ? [] : [prefix + operatorDomain]);
  const [dkim, bounce] = ['doorstep._domainkey.', 'bounce.'];
  const spf = operatorDomain === undefined ? [] : [`v=spf1 include:${operatorDomain} ~all`];
  const spfNote = 'A domain has one SPF record. If it already exists, add the include to it.';
  const dmarcNote = 'Recommended. Any policy works.';
  return [
    { purpose: 'dkim', type: 'CNAME', name: dkim + domain, values: ofOperator(dkim), required: true, note },
    { purpose: 'return_path', type: 'CNAME', name: bounce + domain, values: ofOperator(bounce), required: true, note },
    { purpose: 'spf', type: 'TXT', name: domain, values: spf, required: true, note: note ?? spfNote },
    {
      purpose: 'dmarc',
      type: 'TXT',
      name: `_dmarc.${domain}`,
      values: ['v=DMARC1; p=none'],
      required: false,
      note: dmarcNote,
    },
  ];
}

/** Lists address records (IPv4 and IPv6) that point a tracking host to the service. */
export function trackingRecords(host: string, serviceAddresses: readonly string[]): DnsRecord[] {
  const [v6 = [], v4 = []] = [true, false].map((six) => serviceAddresses.filter((each) => each.includes(':') === six));
  const record = (type: 'A' | 'AAAA', values: readonly string[], note: string | null): DnsRecord => {
    return { purpose: 'tracking', type, name: host, values, required: true, note };
  };
  if (serviceAddresses.length === 0) return [record('A', [], TRACKING_URL_FIRST)];
  return [...(v4.length === 0 ? [] : [record('A', v4, null)]), ...(v6.length === 0 ? [] : [record('AAAA', v6, null)])];
}

/** Compares a required record with its values in DNS; `found` is undefined if DNS did not answer. */
export function judgeRecord(record: DnsRecord, found: readonly string[] | undefined): CheckedRecord {
  if (!found) return { ...record, state: 'unknown', found: [], note: 'DNS did not respond.' };
  const own = found.filter((value) => isRelevant(record, value));
  if (own.length === 0) return { ...record, state: 'missing', found };
  if (record.values.length === 0) return { ...record, state: 'unknown', found: own };
  return { ...record, state: isRight(record, own) ? 'ok' : 'different', found: own };
}

/** Selects the values for this purpose: a name has TXT records for many. */
function isRelevant({ purpose }: DnsRecord, value: string): boolean {
  if (purpose === 'spf') return SPF.test(value);
  return purpose !== 'dmarc' || DMARC.test(value);
}

function isRight({ purpose, values }: DnsRecord, found: readonly string[]): boolean {
  if (purpose === 'dmarc') return found.length === 1;
  if (purpose === 'spf') {
    const include = values[0]?.split(' ')[1];
    return (
      found.length === 1 &&
      found[0]
        ?.toLowerCase()
        .split(/\s+/)
        .includes(include ?? '') === true
    );
  }
  // A subset of the service's addresses is enough, but any other host's address would misdirect visitors.
  return found.every((value) => values.includes(value));
}
export type DnsRecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';

/**
 * Looks up the DNS records of a name: addresses, host names in lower case without the final dot, or texts in one piece
 * each. Empty if there is no such record. Rejects with OutsideError on timeout.
 */
export type DnsLookup = (type: DnsRecordType, name: string) => Promise<readonly string[]>;

const MAX_NAME_LENGTH = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const ADDRESS = /^\d+(\.\d+){3}$/;

/**
 * Normalizes a host name as DNS and certificates spell it: ASCII (Punycode), lower case, no final dot. Undefined for
 * anything else: a single label, an IP address in any notation, a port, a path.
 */
export function parseHostName(text: string): string | undefined {
  // Characters that would make a URL parser read something other than the host.
  if (/[\s\p{Cc}/\\:@?#%[\]]/u.test(text)) return undefined;
  const host = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '');
  if (!host || host.length > MAX_NAME_LENGTH || ADDRESS.test(host)) return undefined;
  const labels = host.split('.');
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) ? host : undefined;
}
