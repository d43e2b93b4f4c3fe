import type { Segment } from './segment.ts';

/**
 * State of a schedule: whether it is open, when that ends, and its JSON in a document. Equal schedules share one state.
 */
export type OpenState = { readonly open: boolean; readonly untilS: number; members(isOrderingOn: boolean): Buffer };

/** Evaluates opening hours: returns the state of a serialized schedule at an epoch second. The caller supplies it. */
export type HoursEvaluator = (schedule: string, epochS: number) => OpenState;

/** The last state of each schedule of a segment, and the time for which it was evaluated. */
class LastStates {
  readonly states: (OpenState | undefined)[];
  readonly fromS: Float64Array;

  constructor(schedules: number) {
    this.states = new Array(schedules);
    this.fromS = new Float64Array(schedules);
  }
}

/** Evaluates which stores are open; a schedule again only after its last state ended, or for an earlier time. */
export class OpeningHours {
  private readonly rules: HoursEvaluator;
  private readonly bySegment = new WeakMap<Segment, LastStates>();

  constructor(rules: HoursEvaluator) {
    this.rules = rules;
  }

  isOpen(segment: Segment, slot: number, nowS: number): boolean {
    return this.isOpenBy(segment, segment.columns.schedule[slot] as number, nowS);
  }

  isOpenBy(segment: Segment, schedule: number, nowS: number): boolean {
    return this.stateOf(segment, schedule, nowS).open;
  }

  /** Returns the members of a document with the opening state. */
  membersOf(segment: Segment, slot: number, nowS: number): Buffer {
    const state = this.stateOf(segment, segment.columns.schedule[slot] as number, nowS);
    return state.members(segment.isOrderingOn(slot));
  }

  private stateOf(segment: Segment, schedule: number, nowS: number): OpenState {
    const { states, fromS } = this.lastOf(segment);
    const last = states[schedule];
    if (last !== undefined && nowS < last.untilS && nowS >= (fromS[schedule] as number)) return last;
    const state = this.rules(segment.scheduleText(schedule), nowS);
    states[schedule] = state;
    fromS[schedule] = nowS;
    return state;
  }

  private lastOf(segment: Segment): LastStates {
    const known = this.bySegment.get(segment);
    if (known !== undefined) return known;
    const last = new LastStates(segment.columns.scheduleStarts.length - 1);
    this.bySegment.set(segment, last);
    return last;
  }
}
