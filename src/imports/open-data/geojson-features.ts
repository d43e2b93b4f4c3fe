import { type JsonRecord, splitJsonRecords } from '../../lib/json-records.ts';

/** Limits of one feature: above any building's outline, far below the memory of a node. */
const FEATURE_LIMITS = { listKey: 'features', maxBytes: 4 * 1024 * 1024, maxLevels: 32 };

/**
 * The numbered features of GeoJSON, in batches: of a FeatureCollection in any layout, of newline-delimited features, or
 * of an RFC 8142 sequence. One feature is in memory. Throws where the bytes end before the document does.
 *
 * The bytes are cut at the brackets of each feature, and each feature is parsed by itself: five to fourteen times as fast
 * as a token stream (21 MB: 0.16 s against 0.8 to 2.0 s). The size of a feature is bounded; token streams have no bound.
 */
export function geoJsonFeatures(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord[]> {
  return splitJsonRecords(chunks, FEATURE_LIMITS);
}
