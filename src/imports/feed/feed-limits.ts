/** Limits of one feed: far above real feeds, and low enough that a hostile feed does no harm. */
export const FEED_LIMITS = {
  /** Bytes of one line of a feed or of a categories file. */
  lineBytes: 64 * 1024 * 1024,
  idCharacters: 256,
  nameCharacters: 500,
  descriptionCharacters: 10_000,
  addressCharacters: 300,
  phoneCharacters: 100,
  urlCharacters: 2048,
  upcCharacters: 64,
  unitCharacters: 50,
  cuisines: 100,
  photos: 200,
  categoryDepth: 32,
  categoriesPerStore: 200_000,
  customizationDepth: 32,
  customizationsPerList: 1000,
  optionsPerProduct: 20_000,
  feeThresholds: 100,
  priceCents: 100_000_000,
  percent: 100,
  quantity: 1_000_000_000,
  choiceQuantity: 10_000,
  /** Words of a list of allergens or diets, repeated words counted. */
  foodWords: 100,
  /** Of one unit: a sack of flour has 90,000 kilocalories. */
  calories: 1_000_000,
  grams: 1_000_000,
  sourceCharacters: 500,
  prepMinutes: 10_080,
  radiusMiles: 1000,
  /** Parties of a store, zones of a party, and positions of all areas of a store. */
  deliveryParties: 10,
  deliveryZones: 100,
  deliveryPositions: 20_000,
  /** Faults or warnings that are listed of one line. */
  faultsPerLine: 1000,
} as const;
