import fc from 'fast-check';

/**
 * Preloaded into each process of a run: properties draw from one seed, so that a commit which passes once passes again.
 * `npm run soak -- properties` draws new seeds.
 */
const SEED = 20_261_126;

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? SEED) });
