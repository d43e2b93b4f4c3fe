import { writeFileSync } from 'node:fs';
import { givenOwnApp } from '../harness.ts';
import { openRunDatabase } from '../run-database.ts';
import { API_FILE, apiLines, RECORDED_BASE_URL, TOOLS_FILE, toolLines } from './surfaces.ts';

// Records the API description and the agents' tools of a service started for this purpose.
await using database = await openRunDatabase();
const app = await givenOwnApp({ connectionString: database.connectionString, env: { BASE_URL: RECORDED_BASE_URL } });
writeFileSync(API_FILE, apiLines((await app.get('/openapi.json')).body));
writeFileSync(TOOLS_FILE, await toolLines(app));
await app.close();
