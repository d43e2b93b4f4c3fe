import type { Chance } from './chance.ts';
import { type Machine, real } from './simulated-machine.ts';
import type { Trace } from './trace.ts';

/**
 * Who waits for an operation: one run of a node, from start to crash, or an outside party. `troubles` counts this
 * node's faults beside the operations: a client that sends twice must have had a reason.
 */
export type Owner = { name: string; isAlive: boolean; troubles: number };

/** Possible faults of an operation, by its party's kind. */
export type Fault = 'refused' | 'lost_before' | 'lost_after' | 'late';

/** A call of a port. It happens when the scheduler performs it; its caller continues once it is delivered. */
export type Operation = {
  owner: Owner;
  party: string;
  what: string;
  /** Operations of one lane are performed in the sequence of their making. */
  lane: object;
  /** The faults that can affect this operation. */
  faults: readonly Fault[];
  /**
   * Performs the operation and resolves with its answer's delivery; a lock may hold it until others continue. One that
   * must not wait has no effect if blocked, and resolves with `held`.
   */
  perform(fault: Fault | undefined, mustNotWait: boolean): Promise<Delivery | 'held'>;
  /** Milliseconds until the check for a blocking lock; undefined if no lock is possible. */
  looksAfterMs?(): number | undefined;
  /** True if a lock currently blocks it. */
  isBlocked?(): Promise<boolean>;
  /** True if the operation releases locks. */
  freesLocks?: boolean;
};

/** Delivers an answer to its waiting caller. */
export type Delivery = () => void;

type Running = Operation & { id: number; isPostponed?: boolean; outcome?: Delivery | 'held'; done?: Promise<void> };

export type FaultPlan = {
  /** The fault that an operation meets; undefined: none. */
  faultOf(operation: Operation): Fault | undefined;
  /** Whether a node dies at this operation, and on which side of its effect. */
  crashAt(operation: Operation): 'before' | 'after' | undefined;
};

export type Scheduler = {
  submit(operation: Operation): void;
  /** Operations and due timers that could go on now. */
  readonly choices: number;
  readonly pending: number;
  readonly steps: number;
  /** The seed picks one operation or timer; it happens, and whatever it sets going runs until it waits again. */
  step(plan: FaultPlan): Promise<void>;
  /** Cancels everything that a dead node waited for. */
  drop(owner: Owner): void;
  /** The last timer's time, where nothing else can go on. */
  nextTimerMs(): number | undefined;
  /** Called with the owner of a node that dies at an operation. */
  onCrash: (owner: Owner) => Promise<void>;
};

/** Two statements, or more, that wait for each other: PostgreSQL would end one of them after a second. */
export class Deadlock extends Error {}

const MAX_TICK_MS = 12;

/**
 * One statement at a time may wait for a lock within PostgreSQL. Meanwhile a statement that would wait too is undone
 * and retried after locks are released, so that the seed, not PostgreSQL, decides which continues.
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
  /** A commit may have let the blocked statement go on. */
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

/** Resolves with false once an operation has ended, and with true once a lock holds it: it does one or the other. */
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
