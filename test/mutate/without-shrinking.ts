import fc from 'fast-check';

/**
 * A property ends at its first failing example: the mutant is found, and no smaller example is looked for. The runs of a
 * property have no limit of time. A busy machine would cut the runs short, and a test that counts the cases of its runs
 * would fail without a mutant, and pass for a find with a mutant that the test does not notice.
 */
fc.configureGlobal({ endOnFailure: true });
