import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A bucket on loopback that checks Signature V4 by itself, as the AWS documentation describes it ("Create a signed AWS
 * API request"), and keeps objects in memory.
 */
export type S3Double = {
  /** The address of its bucket. */
  url: string;
  objects: ReadonlyMap<string, Buffer>;
  /** Answers every request with this status; undefined: as a bucket does. */
  failWith: number | undefined;
  close(): Promise<void>;
};

export const S3_KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
export const S3_REGION = 'us-east-1';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, id, day = '', region = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? [];
  const payload = String(headers['x-amz-content-sha256']);
  if (id !== S3_KEYS.accessKeyId || region !== S3_REGION) return false;
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false;
  const signed = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const canonical = [method, new URL(url, 'http://s3').pathname, '', `${signed.join('')}`, names, payload].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${S3_KEYS.secretAccessKey}`);
  return hmac(key, text).toString('hex') === signature;
}

export async function givenS3(): Promise<S3Double> {
  const objects = new Map<string, Buffer>();
  const double: { failWith: number | undefined } = { failWith: undefined };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const name = request.url ?? '';
    const answer = (status: number, bytes?: Buffer) => void response.writeHead(status).end(bytes);
    if (double.failWith !== undefined) return answer(double.failWith);
    if (!isSigned(request, body)) return answer(403);
    if (request.method === 'PUT') {
      objects.set(name, body);
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return answer(204);
    }
    const found = objects.get(name);
    return answer(found ? 200 : 404, found);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}/pictures`,
    objects,
    close: () => new Promise<void>((done) => server.close(() => done())),
  });
}
