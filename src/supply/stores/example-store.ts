/**
 * The store in request examples, a demo store that is always open, and an address in its range.
 * `test/reference/examples.slow.test.ts` sends the examples to the demo's stores.
 */
export const EXAMPLE_STORE_ID = '40d1adc1fd2ab83720368e47';

/** The delivery address's coordinate. */
export const EXAMPLE_DOOR = { latitude: 41.8827, longitude: -87.6493 };

/** The delivery address as `user_latitude` and `user_longitude`. */
export const EXAMPLE_USER = { user_latitude: EXAMPLE_DOOR.latitude, user_longitude: EXAMPLE_DOOR.longitude };

export const EXAMPLE_PAYER = { user_id: 'u1', user_email: 'u1@example.com' };
