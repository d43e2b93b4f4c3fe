import { writeFileSync } from 'node:fs';
import { givenOwnApp } from '../harness.ts';
import { openRunDatabase } from '../run-database.ts';
import { CLIENT_TYPES, clientTypesOf } from './client-types.ts';

// Writes the types of the client from the description of a service started for this purpose.
await using database = await openRunDatabase();
const app = await givenOwnApp({ connectionString: database.connectionString });
writeFileSync(CLIENT_TYPES, await clientTypesOf((await app.get('/openapi.json')).body));
await app.close();
