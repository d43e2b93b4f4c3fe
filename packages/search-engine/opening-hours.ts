import type { OpenState, Segment } from './segment.ts';

/** Evaluates opening hours: returns the state of a serialized schedule at an epoch second. The caller supplies it. */
export type HoursEvaluator = (schedule: string, epochS: number) => OpenState;

/** Evaluates which stores are open; a schedule again only after its last state ended, or for an earlier time. */
export class OpeningHours {
  private readonly rules: HoursEvaluator;

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
    const { openStates, openFromS } = segment;
    const last = openStates[schedule];
    if (last !== undefined && nowS < last.untilS && nowS >= (openFromS[schedule] as number)) return last;
    const state = this.rules(segment.scheduleText(schedule), nowS);
    openStates[schedule] = state;
    openFromS[schedule] = nowS;
    return state;
  }
}
