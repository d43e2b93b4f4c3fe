/** Stores that are sorted together: the stores of some names, or all stores (null). */
export type Group = Uint32Array | null;

/** Groups that follow each other; a group is worked out when it is first asked for. */
export type Groups = { count: number; at(nth: number): Group };

export const ALL_STORES: Groups = { count: 1, at: () => null };
