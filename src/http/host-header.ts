import type { IncomingMessage } from 'node:http';
import type { Refusal } from './refusal.ts';
import { invalidRequest } from './request-schema.ts';

/**
 * The refusal of a request with more than one `Host` header, and a request of HTTP/1.1 without the header (RFC 9112, section
 * 3.2): two programs on the way could take two different hosts for the request's.
 */
export function hostFault({ rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return invalidRequest([{ in: 'header', name: 'Host', message: 'must be sent once' }]);
  if (hosts === 1 || httpVersion !== '1.1') return undefined;
  return invalidRequest([{ in: 'header', name: 'Host', message: 'is required' }]);
}
