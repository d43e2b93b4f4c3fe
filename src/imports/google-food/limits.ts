/** Bounds on what one feed may ask of the service; far above real feeds. */
export const GOOGLE_FOOD_LIMITS = {
  /** Characters of one entity as JSON. */
  entityCharacters: 1024 * 1024,
  /** The format's own bound on an `@id`. */
  idCharacters: 300,
  /** Ids that one entity may refer to. */
  references: 10_000,
  /** Entities that one restaurant may reach, and their characters together. */
  entitiesPerStore: 200_000,
  charactersPerStore: 64 * 1024 * 1024,
  /** Places that the menus of one restaurant may have: an entity that is shared counts in each of them. */
  placesPerStore: 500_000,
  /** Steps from a restaurant to an entity. */
  steps: 100,
  /** References to ids that no entity has, and repeated entities, that are told of. */
  toldReferences: 1000,
} as const;
