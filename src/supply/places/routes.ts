import { addStoreRoute } from './add-store.route.ts';
import { searchPlacesRoute } from './search-places.route.ts';

/** The directory of places. */
export const PLACE_ROUTES = [searchPlacesRoute, addStoreRoute];
