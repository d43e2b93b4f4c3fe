/** Facts of a food; null is unknown. */
export type FeedFood = {
  allergens: string[] | null;
  may_contain: string[] | null;
  diets: string[] | null;
  nutrition: Record<string, number | undefined> | null;
  source: string;
};

/** The parts of a feed line that the demo catalog uses; prices are whole cents. */
export type FeedOption = {
  id: string;
  name: string;
  price: number;
  default_qty?: number;
  min_qty?: number;
  max_qty?: number;
  conditional_price?: Record<string, number>;
  food?: FeedFood;
  customizations?: FeedCustomization[];
};

export type FeedCustomization = {
  id: string;
  name: string;
  min_choice_options: number;
  max_choice_options: number;
  min_total_units?: number;
  max_total_units?: number;
  options: FeedOption[];
};

export type FeedProduct = {
  id: string;
  name: string;
  description?: string;
  price: number;
  image?: string;
  thumbnail_image?: string;
  pickup_price?: number;
  original_price?: number;
  available?: boolean;
  qty_available?: number | null;
  unit_size?: number;
  unit_of_measurement?: string;
  sold_by?: 'weight';
  weight?: { unit: 'lb'; piece_weight?: number; scale_code: string } | undefined;
  upc_code?: string;
  is_alcoholic?: boolean;
  food?: FeedFood;
  modes?: ('delivery' | 'pickup')[];
  hours?: string;
  customizations?: FeedCustomization[];
};

export type FeedCategory = {
  id: string;
  name: string;
  hours?: string;
  categories?: FeedCategory[];
  products?: FeedProduct[];
};

export type FeedHours = string | Record<string, string>;

type FeedReach = { radius_miles: number } | { area: { type: 'Polygon'; coordinates: number[][][] } };
type FeedZone = FeedReach & { delivery_fee?: object; order_minimum?: number; prep_minutes?: [number, number] };

/** One of several ways to a door. */
export type FeedParty = { party: 'first' | 'third' | 'courier'; fees?: object; prep_minutes?: [number, number] } & (
  | FeedReach
  | { zones: FeedZone[] }
);

export type FeedStore = {
  external_id: string;
  name: string;
  type: 'restaurant' | 'grocery';
  phone: string;
  description: string;
  address: {
    street_addr: string;
    street_addr_2: string;
    city: string;
    state: string;
    zipcode: string;
    country: string;
  };
  latitude: number;
  longitude: number;
  time_zone: string;
  hours: { operational: FeedHours; delivery?: FeedHours; pickup?: FeedHours };
  hours_exceptions?: { from: string; to?: string; hours: string }[];
  cuisines?: string[];
  dollar_signs: number;
  photos: { food: string[]; logo: string[]; store: string[] };
  rating: { value: number; count: number };
  online_ordering: boolean;
  pickup: { enabled: boolean; accepting: boolean; prep_minutes: [number, number] };
  delivery: {
    enabled: boolean;
    accepting: boolean;
    prep_minutes: [number, number];
  } & ({ party: 'first' | 'third' | 'courier'; radius_miles: number } | { parties: FeedParty[] });
  fees: Record<string, unknown>;
  scheduling: Record<string, unknown>;
  categories: FeedCategory[];
};
