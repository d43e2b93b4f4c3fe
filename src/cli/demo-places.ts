import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoPlaces } from '../../demo/places.ts';
import type { Config } from '../config.ts';

/** Where no directory is set, the demo has one of its own: a file in DATA_DIR, written anew at each start. */
export async function withDemoPlaces(config: Config): Promise<Config> {
  const { googlePlacesApiKey, placesFile, dataDir } = config;
  if (googlePlacesApiKey !== undefined || placesFile !== undefined) return config;
  const file = join(dataDir, 'demo-places.geojson');
  await mkdir(dataDir, { recursive: true });
  // Two demos may start on one DATA_DIR: neither reads half a file.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(demoPlaces()));
  await rename(draft, file);
  return { ...config, placesFile: file };
}
