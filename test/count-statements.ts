import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';

/** The statements of one operation. Statements sent before any of their answers arrive count as one round trip. */
export type Statements = { texts: string[]; roundTrips: number };

/** The driver's query interface for sending a statement and detecting its end. */
type Sent = {
  text: string;
  submit(connection: unknown): unknown;
  handleError(...call: unknown[]): unknown;
  handleReadyForQuery(...call: unknown[]): unknown;
};

/** Event-loop turns after which work that waits for no response or connection has sent its next statement. */
const TURNS = 25;

type Connect = (this: unknown, ...call: unknown[]) => unknown;

/**
 * Counts the statements that `work` sends on any connection of this process. Answers are delivered together once all
 * possible statements are sent, so the count does not depend on speed or load.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<Statements> {
  const driver = pg.Query.prototype as unknown as Sent;
  const pool = pg.Pool.prototype as unknown as { connect: Connect };
  const { submit, handleError, handleReadyForQuery } = driver;
  const { connect } = pool;
  const counted: Statements = { texts: [], roundTrips: 0 };
  const ofWork = new AsyncLocalStorage<true>();
  const underWay = new Set<Sent>();
  const answers: (() => unknown)[] = [];
  let connecting = 0;

  const handOn = async (): Promise<void> => {
    const { length } = counted.texts;
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    const isWaiting = underWay.size > 0 || connecting > 0 || counted.texts.length > length;
    if (isWaiting || answers.length === 0) return;
    counted.roundTrips += 1;
    for (const hand of answers.splice(0)) hand();
  };
  const hold = (query: Sent, hand: () => unknown): unknown => {
    if (!underWay.delete(query)) return hand();
    answers.push(hand);
    if (underWay.size === 0) void handOn();
    return undefined;
  };
  // A busy pool opens another connection, which takes longer than the counted turns.
  pool.connect = function (...call) {
    const given = connect.apply(this, call);
    if (!ofWork.getStore() || !(given instanceof Promise)) return given;
    connecting += 1;
    const end = () => {
      connecting -= 1;
      if (underWay.size === 0) void handOn();
    };
    given.then(end, end);
    return given;
  };
  driver.submit = function (this: Sent, connection) {
    if (ofWork.getStore()) {
      counted.texts.push(this.text.replaceAll(/\s+/g, ' ').trim());
      underWay.add(this);
    }
    return submit.call(this, connection);
  };
  driver.handleError = function (this: Sent, ...call) {
    return hold(this, () => handleError.apply(this, call));
  };
  driver.handleReadyForQuery = function (this: Sent, ...call) {
    return hold(this, () => handleReadyForQuery.apply(this, call));
  };
  try {
    await ofWork.run(true, work);
  } finally {
    Object.assign(driver, { submit, handleError, handleReadyForQuery });
    pool.connect = connect;
  }
  return counted;
}
