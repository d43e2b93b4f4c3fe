import type { Fault, Operation, Owner, Scheduler } from './scheduler.ts';

/** How a call reaches an external service and returns. */
export type CallOf<Answer> = {
  owner: Owner;
  party: string;
  what: string;
  /** The party's action in its own books, at the moment of the call. */
  effect: () => Answer;
  /** The caller's error if no response arrives. */
  failure: (isReached: boolean) => Error;
  faults?: readonly Fault[];
};

/** A run's calls to external services: each is an operation, and its effect persists if the caller dies. */
export type Calls = {
  call<Answer>(call: CallOf<Answer>): Promise<Answer>;
  /** A step of the simulation itself on a node; its only fault is the node's death. */
  run<Answer>(owner: Owner, party: string, what: string, task: () => Promise<Answer>): Promise<Answer>;
  down: Set<string>;
};

const FAULTS: readonly Fault[] = ['lost_before', 'lost_after'];

export function createCalls(scheduler: Pick<Scheduler, 'submit'>): Calls {
  const down = new Set<string>();
  const later = (call: CallOf<unknown>): Operation => ({
    owner: { name: call.party, isAlive: true, troubles: 0 },
    party: call.party,
    what: `late: ${call.what}`,
    lane: {},
    faults: [],
    perform: async () => {
      attempt(call.effect);
      return () => {};
    },
  });
  return {
    down,
    run(owner, party, what, task) {
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const perform = () =>
        task().then(
          (answer) => () => resolve(answer as never),
          (error) => () => reject(error),
        );
      scheduler.submit({ owner, party, what, lane: {}, faults: [], perform });
      return promise;
    },
    call(call) {
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      scheduler.submit({
        owner: call.owner,
        party: call.party,
        what: call.what,
        lane: {},
        faults: call.faults ?? FAULTS,
        perform: async (fault) => {
          if (down.has(call.party) || fault === 'lost_before') return () => reject(call.failure(false));
          if (fault === 'late') scheduler.submit(later(call));
          if (fault === 'late') return () => reject(call.failure(true));
          const outcome = attempt(call.effect);
          if (fault === 'lost_after') return () => reject(call.failure(true));
          return () => ('answer' in outcome ? resolve(outcome.answer as never) : reject(outcome.error));
        },
      });
      return promise;
    },
  };
}

function attempt<Answer>(effect: () => Answer): { answer: Answer } | { error: unknown } {
  try {
    return { answer: effect() };
  } catch (error) {
    return { error };
  }
}
