/* Calls to URLs that others chose: they reach only public hosts. */

export { readCertificateEnd } from './certificate.ts';
export {
  createPublicHttp,
  type HttpAnswer,
  isPublicAddress,
  type PublicHttp,
  type PublicHttpOptions,
  readPublicUrl,
} from './public-http.ts';
