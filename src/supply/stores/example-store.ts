/**
 * What examples of requests are about: a store of the demo that is open at any hour, and a door that the store delivers to.
 * `test/reference/examples.slow.test.ts` sends the examples on the demo's stores.
 */
export const EXAMPLE_STORE_ID = '40d1adc1fd2ab83720368e47';

/** The door as a position. */
export const EXAMPLE_DOOR = { latitude: 41.8827, longitude: -87.6493 };

/** The door as the position of a user. */
export const EXAMPLE_USER = { user_latitude: EXAMPLE_DOOR.latitude, user_longitude: EXAMPLE_DOOR.longitude };

/** The user who pays. */
export const EXAMPLE_PAYER = { user_id: 'u1', user_email: 'u1@example.com' };
