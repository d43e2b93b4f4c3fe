import fc from 'fast-check';

/**
 * A property ends at its first failing example: the mutant is found without shrinking. Runs have no time limit: on a
 * busy machine a cut run would fail a test that counts its cases, and pass for a found mutant.
 */
fc.configureGlobal({ endOnFailure: true });
