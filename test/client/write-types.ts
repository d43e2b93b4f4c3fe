import { writeFileSync } from 'node:fs';
import { givenApp } from '../harness.ts';
import { openRunDatabase } from '../runner/run-database.ts';
import { API_TYPES, clientTypesOf } from './client-types.ts';

// Writes the types of the client from what a service says of itself that starts for this question alone.
await using database = await openRunDatabase();
const app = await givenApp({ connectionString: database.connectionString });
writeFileSync(API_TYPES, await clientTypesOf((await app.get('/openapi.json')).body));
await app.close();
