/** What plug-ins need of `Temporal`, for compilers older than TypeScript 6; merges with the library of newer ones. */
declare namespace Temporal {
  interface Instant {
    readonly epochMilliseconds: number;
  }
  interface InstantConstructor {
    from(text: string): Instant;
    fromEpochMilliseconds(epochMilliseconds: number): Instant;
  }
  var Instant: InstantConstructor;
}
