import { AwsClient } from 'aws4fetch';
import {
  type BytesAnswer,
  fetchBytes,
  OutsideError,
  PHOTO_SIZES,
  type PhotoBucket,
  type PhotoSize,
  readParty,
} from 'doorstep/plugin';

/** A bucket of Amazon S3 or of any compatible service, with path-style addresses and Signature V4. */

const PARTY = 'the photo bucket';
/** Three times the largest photo that the converter writes. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

export type BucketSettings = { url: string; region: string; accessKeyId: string; secretAccessKey: string };

/** Retries are the caller's: an upload that fails is refused, a purge runs again in an hour. */
const clientOf = ({ url: _, ...keys }: BucketSettings) => new AwsClient({ ...keys, service: 's3', retries: 0 });

/** Asks for the bucket itself. Rejects unless it is there and the keys may see it. */
export async function askForBucket(settings: BucketSettings): Promise<undefined> {
  return readParty(await clientOf(settings).sign(settings.url, { method: 'HEAD' }));
}

export function createS3PhotoBucket(settings: BucketSettings): PhotoBucket {
  const { url } = settings;
  const client = clientOf(settings);
  const { host } = new URL(url);
  const ask = async (method: 'PUT' | 'GET' | 'DELETE', name: string, body?: Buffer): Promise<BytesAnswer> => {
    const headers = body ? { 'content-type': 'image/webp' } : {};
    const request = await client.sign(`${url}/photos/${name}`, {
      method,
      headers,
      ...(body ? { body: new Uint8Array(body) } : {}),
    });
    return fetchBytes(request, {}, { party: PARTY, host, maxBytes: MAX_FILE_BYTES, timeoutMs: TIMEOUT_MS });
  };
  const check = ({ status }: BytesAnswer, expected: readonly number[]) => {
    if (!expected.includes(status)) throw new OutsideError(PARTY, `${host} answered ${status}.`, { retryable: true });
  };
  return {
    async save(photoId, files) {
      const saved = [...files].map(async ([size, bytes]) =>
        check(await ask('PUT', `${photoId}/${size}.webp`, bytes), [200]),
      );
      await Promise.all(saved);
    },
    async read(photoId, size: PhotoSize) {
      const answer = await ask('GET', `${photoId}/${size}.webp`);
      check(answer, [200, 404]);
      return answer.status === 200 ? answer.bytes : undefined;
    },
    async remove(photoId) {
      // One by one: after a failure none may still be on its way, because the photo can be uploaded again. A bucket
      // answers 204 for a file that it does not have.
      for (const size of PHOTO_SIZES) check(await ask('DELETE', `${photoId}/${size}.webp`), [200, 204, 404]);
    },
  };
}
