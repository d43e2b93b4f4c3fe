import { demoPlaces } from '../../demo/places.ts';
import type { Config } from '../config.ts';
import { writeDemoFile } from './demo-file.ts';

/** Without a directory of places in the settings, the demo writes one of its own into DATA_DIR at each start. */
export async function withDemoPlaces(config: Config): Promise<Config> {
  const { googlePlacesApiKey, placesFile, dataDir } = config;
  if (googlePlacesApiKey !== undefined || placesFile !== undefined) return config;
  const file = await writeDemoFile(dataDir, 'demo-places.geojson', JSON.stringify(demoPlaces()));
  return { ...config, placesFile: file };
}
