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
