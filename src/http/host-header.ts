import type { IncomingMessage } from 'node:http';
import { memoised } from '../lib/memo.ts';
import type { Refusal } from './refusal.ts';
import { invalidRequest } from './request-schema.ts';

const MAX_KNOWN_HOSTS = 100;

/** What ends the host in a URL, and so would let two programs read two different hosts. */
const BEYOND_A_HOST = /[\s/?#@\\]/;

/**
 * The refusal of a request with more than one `Host` header, with one that names no host, and of a request of HTTP/1.1
 * without the header (RFC 9112, section 3.2): two programs on the way could take two different hosts for the request's.
 */
export function hostFault({ rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  let hosts = 0;
  let host = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    hosts += 1;
    host = rawHeaders[index + 1] ?? '';
  }
  if (hosts > 1) return fault('must be sent once');
  if (hosts === 1) return isHost(host) ? undefined : fault('must be a host, and may have a port');
  return httpVersion === '1.1' ? fault('is required') : undefined;
}

/** Nearly all requests of a service name the same few hosts. */
const isHost = memoised((text) => !BEYOND_A_HOST.test(text) && URL.canParse(`http://${text}/`), MAX_KNOWN_HOSTS);

function fault(message: string): Refusal {
  return invalidRequest([{ in: 'header', name: 'Host', message }]);
}
