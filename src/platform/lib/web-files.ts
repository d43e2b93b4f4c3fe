import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file for browsers. Its name includes a hash of its content, so the content under a name never changes. */
export type WebFile = EncodedBytes & { name: string; type: string };

/** A page's files by key and by file name. */
export type WebFiles<Key extends string> = Readonly<Record<Key, WebFile>> & {
  byName: ReadonlyMap<string, WebFile>;
  /** Returns the files with the texts of a language; English if there is no bundle for it. */
  inLanguage(language: string): Readonly<Record<Key, WebFile>>;
};

/** An entry file that is bundled with its imports. Imported English texts are replaced by texts of `language`. */
export type Bundle = { path: string; language: string; parts: Parts; platform: 'browser' | 'node' };

/** Parts of the texts that others replace in a page's bundle, such as `shop.ts` by `counter.ts`. */
export type Parts = Readonly<Record<string, string>>;

/** The top folder of a clone, or the folder of sources in a package. */
export const ROOT = join(import.meta.dirname, '../../..');
/** Bytes in the encodings that browsers accept. */
export type EncodedBytes = { bytes: Buffer; gzip: Buffer; brotli: Buffer };

export async function encode(bytes: Buffer, brotliQuality: number): Promise<EncodedBytes> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [small, smallest] = await Promise.all([promisify(gzip)(bytes), promisify(brotliCompress)(bytes, { params })]);
  return { bytes, gzip: small, brotli: smallest };
}
