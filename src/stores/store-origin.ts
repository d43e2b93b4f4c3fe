/** Where a fact of an open directory comes from, and under which licence it may be used. */
export type StoreOrigin = {
  dataset: string;
  /** As the record states it, such as `ODbL-1.0` or `CDLA-Permissive-2.0`; null where it states none. */
  license: string | null;
  recordId: string | null;
  updatedAt: string | null;
};
