import type { Readable } from 'node:stream';
import type { JsonRecord } from '../../lib/json-records.ts';
import { type HeadCheck, openBytes, type ReadProgress, readably } from '../../lib/read-bytes.ts';
import { geoJsonFeatures } from './geojson-features.ts';

export type FeatureStream = {
  /** The features in the order of the file, some at a time. Throws UnreadableFile. */
  features: AsyncGenerator<readonly JsonRecord[]>;
  progress(): ReadProgress;
};

/** Opens a file of GeoJSON, compressed or not, or standard input for `-`. Throws UnreadableFile. */
export async function openGeoJson(file: string, stdin: Readable, check?: HeadCheck): Promise<FeatureStream> {
  const { chunks, progress } = await openBytes(file, stdin, check);
  return { features: readably(file, geoJsonFeatures(chunks)), progress };
}
