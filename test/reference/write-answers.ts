import { writeFileSync } from 'node:fs';
import { openRunDatabase } from '../run-database.ts';
import { ANSWERS_FILE, shownAnswers } from './example-answers.ts';
import { createExampleClient } from './example-client.ts';
import { createTraveler, JOURNEY, unsentOperations } from './example-journey.ts';
import { givenDemo } from './given-demo.ts';
import { exchangeWith } from './send-exchange.ts';

// Records the description's example answers from a fresh service.
await using database = await openRunDatabase();
process.env.DATABASE_URL = database.connectionString;
const demo = await givenDemo();
const document = (await demo.app.get('/openapi.json')).body;
const client = createExampleClient(document, exchangeWith(await demo.app.service.listen()));
const traveler = createTraveler(demo, client);
for (const part of Object.values(JOURNEY)) await part(traveler);
writeFileSync(ANSWERS_FILE, `${JSON.stringify(shownAnswers(client.answers), null, 2)}\n`);
await demo.close();
const unsent = unsentOperations(document, client);
if (unsent.length > 0) throw new Error(`test/reference/example-journey.ts sends no ${unsent.join(', ')}.`);
