import type { BrowserContext } from 'playwright-core';
import { findAnyOrder } from '../../src/ordering/order/orders.db.ts';
import type { App } from '../harness.ts';
import { until } from '../until.ts';

export type Place = { latitude: number; longitude: number };

/**
 * Moves a driver's phone until the service has its position. The page sends one every three seconds of the browser's
 * clock at most, and the service takes one every three seconds of its own, which stands still between the tests' steps.
 */
export async function movePhone(
  app: App,
  context: Pick<BrowserContext, 'setGeolocation'>,
  orderId: string,
  to: Place,
): Promise<void> {
  await until('the position is saved', async () => {
    await app.advance({ seconds: 1 });
    await context.setGeolocation({ ...to, accuracy: 8 });
    return (await findAnyOrder(app.service.deps.db, orderId))?.driver.latitude === to.latitude;
  });
}
