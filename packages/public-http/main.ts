/* Calls to URLs that others chose: they reach public hosts alone. */

export { readCertificateEnd } from './certificate.ts';
export {
  createPublicHttp,
  type HttpAnswer,
  isPublicAddress,
  type PublicHttp,
  type PublicHttpOptions,
  readPublicUrl,
} from './public-http.ts';
