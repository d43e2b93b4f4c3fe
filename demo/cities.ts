/** A part of a town: a point on land to scatter stores around, its postal code and two of its streets. */
export type Quarter = { latitude: number; longitude: number; zipcode: string; streets: readonly [string, string] };

export type City = {
  name: string;
  state: string;
  country: 'US' | 'CA';
  timeZone: string;
  areaCode: string;
  /** The tax of its stores as the feed has it: one rate, or taxes by name; absent leaves it to the table of states and provinces. */
  tax?: { sales_tax_percent: number } | { taxes: readonly { name: string; percent: number }[] };
  /** Prices of the city relative to the menus' prices. */
  priceLevel: number;
  sellsBeer: boolean;
  quarters: readonly Quarter[];
};

const quarter = (latitude: number, longitude: number, zipcode: string, ...streets: [string, string]): Quarter => ({
  latitude,
  longitude,
  zipcode,
  streets,
});

/** Nine cities in eight time zones; Arizona and Hawaii keep no summer time, Newfoundland is half an hour off. */
export const CITIES = {
  phoenix: {
    name: 'Phoenix',
    state: 'AZ',
    country: 'US',
    timeZone: 'America/Phoenix',
    areaCode: '602',
    tax: { sales_tax_percent: 8.6 },
    priceLevel: 0.95,
    sellsBeer: true,
    quarters: [
      quarter(33.4484, -112.074, '85004', 'N Central Ave', 'E Roosevelt St'),
      quarter(33.5095, -112.0452, '85016', 'E Camelback Rd', 'N 24th St'),
      quarter(33.4797, -112.0997, '85013', 'W Thomas Rd', 'N 7th Ave'),
    ],
  },
  chicago: {
    name: 'Chicago',
    state: 'IL',
    country: 'US',
    timeZone: 'America/Chicago',
    areaCode: '312',
    tax: { sales_tax_percent: 10.25 },
    priceLevel: 1.05,
    sellsBeer: true,
    quarters: [
      quarter(41.8827, -87.6493, '60607', 'W Randolph St', 'S Halsted St'),
      quarter(41.9106, -87.6776, '60622', 'N Damen Ave', 'W Division St'),
      quarter(41.8946, -87.634, '60654', 'W Chicago Ave', 'N Wells St'),
    ],
  },
  denver: {
    name: 'Denver',
    state: 'CO',
    country: 'US',
    timeZone: 'America/Denver',
    areaCode: '303',
    tax: { sales_tax_percent: 8.81 },
    priceLevel: 1,
    sellsBeer: true,
    quarters: [
      quarter(39.7525, -104.9995, '80202', 'Blake St', '17th St'),
      quarter(39.7336, -104.9605, '80206', 'E Colfax Ave', 'York St'),
      quarter(39.7618, -105.0113, '80211', 'W 32nd Ave', 'Tejon St'),
    ],
  },
  boston: {
    name: 'Boston',
    state: 'MA',
    country: 'US',
    timeZone: 'America/New_York',
    areaCode: '617',
    priceLevel: 1.15,
    sellsBeer: false,
    quarters: [
      quarter(42.3503, -71.081, '02116', 'Boylston St', 'Newbury St'),
      quarter(42.3389, -71.0765, '02118', 'Tremont St', 'Washington St'),
      quarter(42.3654, -71.0554, '02113', 'Hanover St', 'Salem St'),
    ],
  },
  honolulu: {
    name: 'Honolulu',
    state: 'HI',
    country: 'US',
    timeZone: 'Pacific/Honolulu',
    areaCode: '808',
    tax: { sales_tax_percent: 4.712 },
    priceLevel: 1.25,
    sellsBeer: true,
    quarters: [
      quarter(21.3099, -157.8581, '96813', 'Bishop St', 'S King St'),
      quarter(21.2836, -157.8275, '96815', 'Kuhio Ave', 'Kanekapolei St'),
      quarter(21.2937, -157.8412, '96814', 'Kapiolani Blvd', 'Keeaumoku St'),
    ],
  },
  vancouver: {
    name: 'Vancouver',
    state: 'BC',
    country: 'CA',
    timeZone: 'America/Vancouver',
    areaCode: '604',
    priceLevel: 1.2,
    sellsBeer: false,
    quarters: [
      quarter(49.2768, -123.1209, 'V6B 1H7', 'Davie St', 'Homer St'),
      quarter(49.2637, -123.1386, 'V6H 1M4', 'W Broadway', 'Granville St'),
      quarter(49.2626, -123.0695, 'V5N 4A7', 'Commercial Dr', 'E 7th Ave'),
    ],
  },
  toronto: {
    name: 'Toronto',
    state: 'ON',
    country: 'CA',
    timeZone: 'America/Toronto',
    areaCode: '416',
    tax: { taxes: [{ name: 'HST', percent: 13 }] },
    priceLevel: 1.2,
    sellsBeer: false,
    quarters: [
      quarter(43.6487, -79.3774, 'M5E 1E5', 'King St E', 'Church St'),
      quarter(43.6544, -79.4026, 'M5T 1R9', 'Spadina Ave', 'Nassau St'),
      quarter(43.6677, -79.3952, 'M5S 1X5', 'Bloor St W', 'Avenue Rd'),
    ],
  },
  montreal: {
    name: 'Montréal',
    state: 'QC',
    country: 'CA',
    timeZone: 'America/Toronto',
    areaCode: '514',
    tax: {
      taxes: [
        { name: 'GST', percent: 5 },
        { name: 'QST', percent: 9.975 },
      ],
    },
    priceLevel: 1.1,
    sellsBeer: true,
    quarters: [
      quarter(45.5231, -73.5811, 'H2W 1Y4', 'boul. Saint-Laurent', 'rue Rachel Est'),
      quarter(45.5237, -73.6005, 'H2T 2N2', 'av. du Parc', 'rue Saint-Viateur Ouest'),
      quarter(45.4986, -73.5674, 'H3B 4G1', 'rue Sainte-Catherine Ouest', 'rue Peel'),
    ],
  },
  stJohns: {
    name: 'St. John’s',
    state: 'NL',
    country: 'CA',
    timeZone: 'America/St_Johns',
    areaCode: '709',
    tax: { taxes: [{ name: 'HST', percent: 15 }] },
    priceLevel: 1.15,
    sellsBeer: false,
    quarters: [
      quarter(47.5649, -52.7093, 'A1C 1G2', 'Water St', 'Duckworth St'),
      quarter(47.5605, -52.7262, 'A1C 4H6', 'Military Rd', 'Rennies Mill Rd'),
      quarter(47.5701, -52.7501, 'A1B 3S8', 'Freshwater Rd', 'Elizabeth Ave'),
    ],
  },
} as const satisfies Record<string, City>;

export type CityKey = keyof typeof CITIES;
