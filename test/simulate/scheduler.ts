import type { Chance } from './chance.ts';
import { type Machine, real } from './simulated-machine.ts';
import type { Trace } from './trace.ts';

/**
 * The caller of an operation: one run of a node, from start to crash, or an external service. `troubles` counts this
 * node's faults, because a duplicate send must have a cause.
 */
export type Owner = { name: string; isAlive: boolean; troubles: number };

export type Fault = 'refused' | 'lost_before' | 'lost_after' | 'late';

/** A call of a port. Its effect happens when the scheduler performs it; its caller continues on delivery. */
export type Operation = {
  owner: Owner;
  party: string;
  what: string;
  /** Operations of one lane are performed in FIFO order. */
  lane: object;
  faults: readonly Fault[];
  /**
   * Performs the operation and resolves with its response's delivery; a lock may block it until others continue. With
   * `mustNotWait` a blocked one has no effect and resolves with `held`.
   */
  perform(fault: Fault | undefined, mustNotWait: boolean): Promise<Delivery | 'held'>;
  /** Milliseconds until the check for a blocking lock; undefined if no lock is possible. */
  looksAfterMs?(): number | undefined;
  /** True if a lock currently blocks it. */
  isBlocked?(): Promise<boolean>;
  freesLocks?: boolean;
};

/** Delivers a response to its waiting caller. */
export type Delivery = () => void;

type Running = Operation & { id: number; isPostponed?: boolean; outcome?: Delivery | 'held'; done?: Promise<void> };

export type FaultPlan = {
  faultOf(operation: Operation): Fault | undefined;
  /** Whether a node dies at this operation, before or after its effect. */
  crashAt(operation: Operation): 'before' | 'after' | undefined;
};

export type Scheduler = {
  submit(operation: Operation): void;
  /** The number of operations and due timers that can proceed. */
  readonly choices: number;
  readonly pending: number;
  readonly steps: number;
  /** Picks one operation or timer by the seed and runs everything it causes until all wait again. */
  step(plan: FaultPlan): Promise<void>;
  /** Cancels everything that a dead node waited for. */
  drop(owner: Owner): void;
  /** The next timer's time, if nothing else can proceed. */
  nextTimerMs(): number | undefined;
  onCrash: (owner: Owner) => Promise<void>;
};

/** Statements that wait for each other; PostgreSQL would abort one of them after a second. */
export class Deadlock extends Error {}

const MAX_TICK_MS = 12;

/**
 * One statement at a time may wait for a lock in PostgreSQL. Others that would wait are undone and retried when locks
 * are released, so that the seed, not PostgreSQL, picks the next.
 */
export function createScheduler(machine: Machine, chance: Chance, trace: Trace): Scheduler {
  const waiting: Running[] = [];
  const answered: Running[] = [];
  let blocked: Running | undefined;
  let lastId = 0;
  let steps = 0;

  const retryPostponed = (): void => {
    for (const operation of waiting) operation.isPostponed = false;
  };
  /** A commit may have unblocked the waiting statement. */
  const wake = async (): Promise<void> => {
    if (!blocked || (await isHeld(blocked))) return;
    answered.push(blocked);
    blocked = undefined;
    retryPostponed();
  };
  const free = (): Running[] => {
    const lanes = new Set<object>(answered.map(({ lane }) => lane));
    if (blocked) lanes.add(blocked.lane);
    return waiting.filter(({ lane, isPostponed }) => {
      const isFree = !lanes.has(lane);
      lanes.add(lane);
      return isFree && !isPostponed;
    });
  };
  const dueTimers = () => [...machine.timers.values()].filter(({ dueMs }) => dueMs <= machine.nowMs());
  const note = (operation: Running, word: string | undefined) =>
    trace.add({ step: steps, nowMs: machine.nowMs(), id: operation.id, operation, fault: word });
  const begin = async (operation: Running, plan: FaultPlan): Promise<void> => {
    const crash = plan.crashAt(operation);
    const fault = crash === undefined ? plan.faultOf(operation) : undefined;
    note(operation, crash ? `crash ${crash}` : fault);
    waiting.splice(waiting.indexOf(operation), 1);
    if (crash === 'before') await scheduler.onCrash(operation.owner);
    else await carryOut(operation, fault, crash === 'after');
    if (!operation.freesLocks && fault === undefined && crash === undefined) return;
    retryPostponed();
    await wake();
  };
  const carryOut = async (operation: Running, fault: Fault | undefined, isLast: boolean): Promise<void> => {
    const mustNotWait = blocked !== undefined;
    operation.done = operation.perform(fault, mustNotWait).then((outcome) => {
      operation.outcome = outcome;
    });
    if (mustNotWait) await operation.done;
    const isWaiting = await isHeld(operation);
    if (fault !== undefined) operation.owner.troubles += 1;
    if (isLast) return scheduler.onCrash(operation.owner);
    if (isWaiting) blocked = operation;
    else if (operation.outcome === 'held') postpone(operation);
    else operation.outcome?.();
  };
  const postpone = (operation: Running): void => {
    note(operation, 'held');
    operation.isPostponed = true;
    const at = waiting.findIndex(({ id }) => id > operation.id);
    waiting.splice(at < 0 ? waiting.length : at, 0, operation);
    delete operation.outcome;
  };
  const scheduler: Scheduler = {
    submit(operation) {
      lastId += 1;
      const running: Running = { ...operation, id: lastId };
      trace.submitted(running.id);
      waiting.push(running);
    },
    get choices() {
      return free().length + answered.length + dueTimers().length;
    },
    get pending() {
      return waiting.length + answered.length + (blocked ? 1 : 0) + machine.timers.size;
    },
    get steps() {
      return steps;
    },
    async step(plan) {
      steps += 1;
      machine.moveTo(machine.nowMs() + chance.below(MAX_TICK_MS));
      const [operations, timers] = [free(), dueTimers()];
      const at = chance.below(operations.length + answered.length + timers.length);
      const operation = operations[at];
      const answer = answered[at - operations.length];
      const timer = timers[at - operations.length - answered.length];
      if (operation) await begin(operation, plan);
      else if (answer) {
        answered.splice(answered.indexOf(answer), 1);
        note(answer, 'woken');
        if (answer.outcome !== 'held') answer.outcome?.();
      } else if (timer) {
        machine.timers.delete(timer.id);
        trace.note(`${steps} timer ${timer.id}`);
        machine.runAs(timer.owner, timer.fire);
      } else {
        const stuck = [...(blocked ? [blocked] : []), ...waiting].map(({ id, what }) => `#${id} ${what}`);
        throw new Deadlock(stuck.join('\n  waits with\n'));
      }
      await machine.quiesce();
    },
    drop(owner) {
      for (const list of [waiting, answered]) {
        const left = list.filter((operation) => operation.owner !== owner);
        list.splice(0, list.length, ...left);
      }
      if (blocked?.owner === owner) blocked = undefined;
      for (const { id, owner: of } of machine.timers.values()) if (of === owner) machine.timers.delete(id);
    },
    nextTimerMs() {
      const due = [...machine.timers.values()].map(({ dueMs }) => dueMs);
      return due.length === 0 ? undefined : Math.min(...due);
    },
    onCrash: async () => {},
  };
  return scheduler;
}

/** Resolves with false once an operation has ended, with true once a lock blocks it. */
async function isHeld(operation: Running): Promise<boolean> {
  const firstMs = operation.looksAfterMs?.();
  if (firstMs === undefined) {
    await operation.done;
    return false;
  }
  for (let waitMs = firstMs; ; waitMs *= 2) {
    if (operation.outcome) return false;
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const timer = real.setTimeout(resolve, waitMs);
    await Promise.race([operation.done, over]);
    real.clearTimeout(timer);
    if (operation.outcome) return false;
    if (await operation.isBlocked?.()) return true;
  }
}
