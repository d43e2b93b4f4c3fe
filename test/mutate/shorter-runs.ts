import fc from 'fast-check';

/** Milliseconds of one property against one mutant: a shorter run finds fewer mutants than `npm test` would, never more. */
const MAX_PROPERTY_MS = 3000;

fc.configureGlobal({ interruptAfterTimeLimit: MAX_PROPERTY_MS });
