import { assignDriver } from '../../src/fulfillment/deliveries/driver-delivery.flow.ts';
import { NEAR_DOOR } from '../feed-lines.ts';
import type { App, Reply } from '../harness.ts';
import { givenTracked, givenTrackedStore, type Tracked } from './tracked.ts';

/** The number is from the range reserved for fiction. */
export const ANA = { name: 'Ana Driver', phone: 12125550111, vehicleType: 'bicycle' };
export const BEN = { name: 'Ben Driver', phone: 12125550112, vehicleType: 'car' };

/** Places of a driver on the way from the store to the customer. */
export const STORE = { latitude: 40.7383, longitude: -73.9927 };
export const DOOR = { latitude: NEAR_DOOR.user_latitude, longitude: NEAR_DOOR.user_longitude };
export const BETWEEN = { latitude: 40.7393, longitude: -73.9919 };

/** A store that sells wine. */
export const givenBar = (app: App): Promise<string> => {
  const wine = { id: 'wine', name: 'Wine', price: 1500, is_alcoholic: true };
  const categories = [{ id: 'drinks', name: 'Drinks', products: [wine] }];
  return givenTrackedStore(app, { external_id: 'bar', name: 'Bar', categories });
};

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

const SMALL_JPEGS = {
  red: '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCSACqX/9k=',
  blue: '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCCAoA3/9k=',
};

/** A JPEG of 16 × 16 pixels of one color, with a comment, Exif and trailing bytes. */
export function givenJpeg(secret = 'secret', color: keyof typeof SMALL_JPEGS = 'red'): Buffer {
  const picture = Buffer.from(SMALL_JPEGS[color], 'base64');
  const segment = (marker: number, content: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(content.length + 2);
    return Buffer.concat([Buffer.from([0xff, marker]), length, content]);
  };
  return Buffer.concat([
    picture.subarray(0, 2),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    segment(0xe1, Buffer.from(`Exif\0\0GPS ${secret}`)),
    segment(0xfe, Buffer.from(secret)),
    picture.subarray(2),
    Buffer.from(secret),
  ]);
}
