import { writeFileSync } from 'node:fs';
import { givenApp } from '../harness.ts';
import { openRunDatabase } from '../runner/run-database.ts';
import { API_TYPES } from './client-types.ts';

// Writes the types of the client from the description of a service started for this
// purpose.
await using database = await openRunDatabase();
const app = await givenApp({ connectionString: database.connectionString });
const document = (await app.get('/openapi.json')).body;
for (const { file, typesOf } of API_TYPES) writeFileSync(file, await typesOf(document));
await app.close();
