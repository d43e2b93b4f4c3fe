/* The search engine: rows go in through a writer, pages come out of a searcher (README.md). */

export { COMPACTION_LIMITS } from './compaction.ts';
export type { Cursor } from './cursor.ts';
export { NO_DELIVERY, packDelivery } from './delivery.ts';
export { type HoursEvaluator, OpeningHours } from './opening-hours.ts';
export { type EngineQuery, foldCuisine, type OfferScope, SORTS, type SortName } from './query.ts';
export { finish } from './seal.ts';
export { type Hit, Searcher } from './searcher.ts';
export { type OpenState, Segment } from './segment.ts';
export { SegmentMemory } from './segment-memory.ts';
export type { RestoredSegment } from './snapshot.ts';
export { findSnapshot, readSnapshot, removeSnapshot, writeSnapshot } from './snapshot-files.cache.ts';
export { PACKED_WIDTH } from './store-ids.ts';
export { AGREED, CHANNEL, NO_MINUTES, SELLER, type StoreRow, typeAndCountryOf } from './store-row.ts';
export { type Publication, Writer } from './writer.ts';
export { WriterLoop } from './writer-loop.flow.ts';
