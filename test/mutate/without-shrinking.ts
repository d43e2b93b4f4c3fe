import fc from 'fast-check';

/**
 * Properties stop at the first failing example, without shrinking. No time limit: on a busy machine a truncated run
 * would fail a test that counts its cases, and pass for a killed mutant.
 */
fc.configureGlobal({ endOnFailure: true });
