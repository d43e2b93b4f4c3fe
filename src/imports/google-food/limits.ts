/** Limits of one feed, far above real feeds. */
export const GOOGLE_FOOD_LIMITS = {
  /** Characters of one entity as JSON. */
  entityCharacters: 1024 * 1024,
  /** The format's own bound on an `@id`. */
  idCharacters: 300,
  /** Ids that one entity may refer to. */
  references: 10_000,
  /** Entities that one restaurant may reach, and the sum of their characters. */
  entitiesPerStore: 200_000,
  charactersPerStore: 64 * 1024 * 1024,
  /** Positions in the menus of one restaurant: a shared entity counts at each of its positions. */
  positionsPerStore: 500_000,
  /** Areas of the delivery services of one restaurant that are checked: each check may take some milliseconds. */
  areasPerStore: 300,
  /** Steps from a restaurant to an entity. */
  steps: 100,
  /** References to unknown ids, and repeated entities, that are reported. */
  reportedReferences: 1000,
} as const;
