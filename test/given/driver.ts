import { assignDriver } from '../../src/fulfillment/deliveries/driver-delivery.flow.ts';
import type { App, Reply } from '../harness.ts';
import { givenTracked, type Tracked } from './tracked.ts';

/** The number is from the range reserved for fiction. */
export const ANA = { name: 'Ana Driver', phone: 12125550111, vehicleType: 'bicycle' };
export const BEN = { name: 'Ben Driver', phone: 12125550112, vehicleType: 'car' };

export type Assigned = Tracked & {
  /** The path of the driver's page. */
  path: string;
  /** Calls the driver page's endpoint without a key. */
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  state(): Promise<Reply>;
};

/** A confirmed delivery with a driver of the store; `changes` override the order's body. */
export async function givenAssigned(
  app: App,
  storeId: string,
  changes: Record<string, unknown> = {},
): Promise<Assigned> {
  const order = await givenTracked(app, storeId, changes);
  await order.advance('confirm');
  return { ...order, ...(await driverOf(app, order.orderId, ANA)) };
}

/** Assigns a driver to the order and returns the calls of the driver's page. */
export async function driverOf(app: App, orderId: string, driver: typeof ANA): Promise<Omit<Assigned, keyof Tracked>> {
  const { driverLink } = await assignDriver(app.service.deps, orderId, driver);
  const path = driverLink.slice(app.config.baseUrl.length);
  return {
    path,
    call: (below, body, headers = {}) => app.post(`${path}/${below}`, body, { 'id-token': '', ...headers }),
    state: () => app.get(`${path}/state`, {}, { 'id-token': '' }),
  };
}

/** A small JPEG with a comment, Exif and trailing bytes; it does not decode to an image. */
export function givenJpeg(secret = 'secret'): Buffer {
  const segment = (marker: number, content: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(content.length + 2);
    return Buffer.concat([Buffer.from([0xff, marker]), length, content]);
  };
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    segment(0xe1, Buffer.from(`Exif\0\0GPS ${secret}`)),
    segment(0xfe, Buffer.from(secret)),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 17, 0])),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from(secret),
  ]);
}
