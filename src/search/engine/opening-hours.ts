import { LRUCache } from 'lru-cache';
import type { Segment } from './segment.ts';

/** Whether a schedule is open at a moment, and until when that holds; `write` gives it as members of a document. */
export type ScheduleState = { open: boolean; untilS: number; write(isOrderingOn: boolean): string };

/** The rules of opening hours, which the engine does not know: prepares the schedule of a text for any epoch second. */
export type HoursRules = (schedule: string) => (epochS: number) => ScheduleState;

/** Schedules that are prepared at a time: a continent has some ten thousand. */
const MAX_PREPARED = 32_768;
/** Openings that schedules share: thousands of schedules have a few hundred of them at a time. */
const MAX_SHARED_BYTES = 4096;

/** A schedule and its last state. It is evaluated again only where that state has ended, or was for a later moment. */
class Schedule {
  private readonly stateAt: (epochS: number) => ScheduleState;
  private state: ScheduleState | undefined;
  private fromS = Infinity;
  private untilS = -Infinity;
  private written: Buffer | undefined;
  private writtenOff: Buffer | undefined;

  constructor(stateAt: (epochS: number) => ScheduleState) {
    this.stateAt = stateAt;
  }

  isOpen(nowS: number): boolean {
    return this.current(nowS).open;
  }

  members(nowS: number, isOrderingOn: boolean, share: (text: string) => Buffer): Buffer {
    const state = this.current(nowS);
    const known = isOrderingOn ? this.written : this.writtenOff;
    if (known !== undefined) return known;
    const members = share(state.write(isOrderingOn));
    if (isOrderingOn) this.written = members;
    else this.writtenOff = members;
    return members;
  }

  private current(nowS: number): ScheduleState {
    if (this.state !== undefined && nowS >= this.fromS && nowS < this.untilS) return this.state;
    this.state = this.stateAt(nowS);
    this.fromS = nowS;
    this.untilS = this.state.untilS;
    this.written = undefined;
    this.writtenOff = undefined;
    return this.state;
  }
}

/** Which stores are open. Stores with equal hours share one schedule, in whatever segments they are. */
export class OpeningHours {
  private readonly rules: HoursRules;
  private readonly byText = new LRUCache<string, Schedule>({ max: MAX_PREPARED });
  private readonly bytes = new LRUCache<string, Buffer>({ max: MAX_SHARED_BYTES });
  /** By segment, by its own number of a schedule. */
  private readonly bySegment = new WeakMap<Segment, (Schedule | undefined)[]>();

  constructor(rules: HoursRules) {
    this.rules = rules;
  }

  isOpen(segment: Segment, slot: number, nowS: number): boolean {
    return this.scheduleOf(segment, slot).isOpen(nowS);
  }

  /** The members of a document that tell whether the store is open. */
  membersOf(segment: Segment, slot: number, nowS: number): Buffer {
    return this.scheduleOf(segment, slot).members(nowS, segment.isOrderingOn(slot), this.share);
  }

  private readonly share = (text: string): Buffer => {
    const known = this.bytes.get(text) ?? Buffer.from(text);
    this.bytes.set(text, known);
    return known;
  };

  private scheduleOf(segment: Segment, slot: number): Schedule {
    let schedules = this.bySegment.get(segment);
    if (schedules === undefined) {
      schedules = [];
      this.bySegment.set(segment, schedules);
    }
    const number = segment.columns.schedule[slot] as number;
    const known = schedules[number];
    if (known !== undefined) return known;
    const schedule = this.prepare(segment.scheduleText(number));
    schedules[number] = schedule;
    return schedule;
  }

  private prepare(text: string): Schedule {
    const known = this.byText.get(text) ?? new Schedule(this.rules(text));
    this.byText.set(text, known);
    return known;
  }
}
