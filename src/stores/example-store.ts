/** A store of the demo that is open at any hour, for examples of requests. */
export const EXAMPLE_STORE_ID = '40d1adc1fd2ab83720368e47';

/** A door that the store delivers to. */
export const EXAMPLE_DOOR = { latitude: 41.8827, longitude: -87.6493 };

/** The door as the position of a user. */
export const EXAMPLE_USER = { user_latitude: EXAMPLE_DOOR.latitude, user_longitude: EXAMPLE_DOOR.longitude };
