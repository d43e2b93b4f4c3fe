import { writeFileSync } from 'node:fs';
import { contractText } from './contract.ts';

// Writes the shapes of the protocol that the service uses.
writeFileSync('src/surfaces/ucp/contract.ts', contractText());
