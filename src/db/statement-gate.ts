import { type BatchGate, createBatchGate } from '../lib/batch-gate.ts';

/**
 * One statement of a gate at a time: what comes meanwhile shares the next one (ADR 49). A statement that waits for a lock,
 * or for a PostgreSQL far away, holds up the others no longer than this.
 */
const PLACES = 1;
const PATIENCE_MS = 20;

/** A gate for statements that several requests share: their fixed cost is several times the cost of a row. */
export function createStatementGate(): BatchGate {
  return createBatchGate({ places: PLACES, patienceMs: PATIENCE_MS });
}
