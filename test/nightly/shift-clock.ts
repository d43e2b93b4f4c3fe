const AHEAD_MS = 'DOORSTEP_TEST_CLOCK_AHEAD_MS';

/**
 * Shifts JavaScript's time in a process or browser page; timers run normally. PostgreSQL keeps its own time, so code
 * that compares both clocks fails. Self-contained, because its text is executed.
 */
export function shiftClock(aheadMs: number): void {
  const RealDate = Date;
  const realNow = Date.now;
  const now = () => realNow() + aheadMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.now = now;
  RealDate.prototype.constructor = Date;
  if (typeof Temporal === 'undefined') return;
  const { Now } = Temporal;
  const zoned = (timeZone: Temporal.TimeZoneLike = Now.timeZoneId()) => Now.instant().toZonedDateTimeISO(timeZone);
  Object.assign(Now, {
    instant: () => Temporal.Instant.fromEpochMilliseconds(now()),
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (timeZone?: Temporal.TimeZoneLike) => zoned(timeZone).toPlainDateTime(),
    plainDateISO: (timeZone?: Temporal.TimeZoneLike) => zoned(timeZone).toPlainDate(),
    plainTimeISO: (timeZone?: Temporal.TimeZoneLike) => zoned(timeZone).toPlainTime(),
  });
}

/** Environment that shifts the clock of a process and its children, including on Node.js 18.18. */
export function clockAhead(aheadMs: number): Record<string, string> {
  const preload = encodeURIComponent(`(${shiftClock})(${aheadMs})`);
  return { NODE_OPTIONS: `--import=data:text/javascript,${preload}`, [AHEAD_MS]: String(aheadMs) };
}

/** The shift that `clockAhead` gave this process; undefined if none. */
export function shiftOfThisProcess(): number | undefined {
  const aheadMs = process.env[AHEAD_MS];
  return aheadMs === undefined ? undefined : Number(aheadMs);
}

/** Environment of a process at another hour: its database, which keeps the real time, is read as of that hour, too. */
export function hourAhead(aheadMs: number): Record<string, string> {
  const { NODE_OPTIONS, ...clock } = clockAhead(aheadMs);
  return { ...clock, NODE_OPTIONS: `${NODE_OPTIONS} --import=${new URL('shift-database-clock.ts', import.meta.url)}` };
}

/** The clock environment of this process, for a child that does not inherit the environment. */
export function clockOfThisProcess(): Record<string, string> {
  const aheadMs = shiftOfThisProcess();
  return aheadMs === undefined ? {} : hourAhead(aheadMs);
}
