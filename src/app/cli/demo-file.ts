import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { explainError, makeInDataDir } from 'doorstep/embedded-database';
import { demoPlaces } from '../../../demo/places.ts';
import type { ServiceConfig } from '../wiring/read-settings.ts';

/**
 * Writes a demo file into DATA_DIR and returns its path. Two demos may start at once, so it appears whole or not at all.
 */
export async function writeDemoFile(dataDir: string, name: string, text: string, mode?: number): Promise<string> {
  const folder = resolve(dataDir);
  const file = join(folder, name);
  const draft = `${file}.${process.pid}`;
  await makeInDataDir(folder, folder);
  try {
    await writeFile(draft, text, { mode });
    await rename(draft, file);
    return file;
  } catch (error) {
    throw explainError(error, folder);
  }
}

const STREETS = join(import.meta.dirname, '../../../demo/streets.pmtiles');

/** Unless the settings name others: the demo's streets, and its directory of places, written into DATA_DIR. */
export async function withDemoFiles(config: ServiceConfig): Promise<ServiceConfig> {
  const { placeDirectory, pluginSettings, dataDir, mapTiles = { file: STREETS } } = config;
  if (placeDirectory !== undefined || !pluginSettings.has('open-data')) return { ...config, mapTiles };
  const file = await writeDemoFile(dataDir, 'demo-places.geojson', JSON.stringify(demoPlaces()));
  const withFile = new Map(pluginSettings).set('open-data', { file });
  return { ...config, mapTiles, placeDirectory: 'local', pluginSettings: withFile };
}
