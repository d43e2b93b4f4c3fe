import type { RestoredSegment, SegmentMemory, Writer, WriterLoop } from 'doorstep/search-engine';
import { findSnapshot, readSnapshot, removeSnapshot, writeSnapshot } from 'doorstep/search-engine';
import type { Logger } from 'pino';
import type { Sql } from '../../platform/db/connect.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { NO_FEES, NO_SCHEDULING, plainParty, type Store } from '../../supply/stores/store.ts';
import type { StoreFollower } from '../../supply/stores/store-feed.cache.ts';
import type { FeedPoint } from '../../supply/stores/stores.db.ts';
import { findMark, insertMark } from './snapshot-marks.db.ts';
import { engineRow } from './store-row.ts';
import { storedFormat } from './stored-format.flow.ts';

/** Share of changed stores that makes a snapshot due, because a start reads each changed store again. */
const MAX_CHANGED_SHARE = 0.01;
/** A snapshot that has been due for this long is written although stores keep changing. */
const MAX_DUE_MS = 300_000;
/** Quiet periods before a failed snapshot is retried: five minutes. */
const RETRY_AFTER_QUIETS = 60;
const CHECKS_OF_QUIET = 5;

/** Facts of a snapshot: its format, a mark in its database's history, and its last change. */
type SnapshotFacts = { format: string; mark: string; seq: number; point: FeedPoint };

/** The index, and the feed whose changes up to its position are in it. */
type IndexState = { writer: Writer; loop: WriterLoop; feed: StoreFollower };

export type SnapshotOptions = {
  folder: string;
  db: Sql;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Minimum number of stores for a snapshot. */
  minStores: number;
  /** Milliseconds without store changes before a snapshot is written. */
  quietMs: number;
};

/** Keeps a snapshot of the index in a folder: written when stores are quiet, and read at startup. */
export class SnapshotKeeper {
  private readonly options: SnapshotOptions;
  private readonly closing = new AbortController();
  /** Changes since the last snapshot; Infinity without one. */
  private changes = Infinity;
  private changedMs = performance.now();
  /** The earliest retry after a failure, such as a full disk. */
  private nextTryMs = 0;
  private dueMs = Infinity;
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(options: SnapshotOptions) {
    this.options = options;
  }

  /** Reads the segments of a snapshot of this version and this database's history; null if there is none. */
  async read(memory: SegmentMemory): Promise<{ segments: RestoredSegment[]; point: FeedPoint } | null> {
    const { folder, db } = this.options;
    const snapshot = await findSnapshot(folder);
    if (snapshot === null) return null;
    const { format, mark, seq, point } = snapshot.facts as SnapshotFacts;
    if (format !== (await snapshotFormat())) return this.refuse('another version wrote it');
    if ((await findMark(db, mark)) !== seq) return this.refuse('it is of another database');
    const segments = await readSnapshot(folder, snapshot, memory, this.closing.signal);
    this.closing.signal.throwIfAborted();
    if (segments === null) return this.refuse('it is damaged');
    this.changes = 0;
    return { segments, point };
  }

  /** Makes the next start read all stores from the database. */
  async discard(): Promise<void> {
    await removeSnapshot(this.options.folder);
  }

  noteChange(): void {
    this.changes += 1;
    this.changedMs = performance.now();
  }

  /** Checks periodically whether a snapshot is due. */
  keep(state: IndexState): void {
    this.timer = setInterval(() => this.check(state), this.options.quietMs / CHECKS_OF_QUIET);
  }

  async close(): Promise<void> {
    this.closing.abort();
    if (this.timer !== null) clearInterval(this.timer);
    await this.running;
  }

  private check(state: IndexState): void {
    if (this.running !== null || performance.now() < this.nextTryMs) return;
    const { minStores, quietMs } = this.options;
    const { liveStores } = state.writer;
    const isDue = liveStores >= minStores && this.changes > liveStores * MAX_CHANGED_SHARE;
    const nowMs = performance.now();
    if (!isDue) this.dueMs = Infinity;
    else this.dueMs = Math.min(this.dueMs, nowMs);
    if (!isDue || (nowMs - this.changedMs < quietMs && nowMs - this.dueMs < MAX_DUE_MS)) return;
    this.running = this.write(state)
      .catch((error) => this.failed(error))
      .then(() => {
        this.dueMs = Infinity;
        this.running = null;
      });
  }

  private failed(error: unknown): void {
    if (this.closing.signal.aborted) return;
    this.nextTryMs = performance.now() + RETRY_AFTER_QUIETS * this.options.quietMs;
    this.options.log.warn({ err: error }, 'search snapshot not written');
  }

  private async write({ writer, loop, feed }: IndexState): Promise<void> {
    const { folder, db, log } = this.options;
    const startMs = performance.now();
    const [stores, point] = [writer.liveStores, feed.position];
    const parts = loop.pin();
    const { changes } = this;
    this.changes = 0;
    try {
      const mark = randomId('snp_', 18);
      const seq = await insertMark(db, mark);
      const facts: SnapshotFacts = { format: await snapshotFormat(), mark, seq, point };
      await writeSnapshot(folder, { name: mark, facts, nowMs: systemClock.epochMs() }, parts, this.closing.signal);
      log.info({ stores, seq, ms: Math.round(performance.now() - startMs) }, 'search snapshot written');
    } catch (error) {
      this.changes += changes;
      throw error;
    } finally {
      loop.unpin();
    }
  }

  private refuse(reason: string): null {
    const { folder, log } = this.options;
    log.warn({ folder, reason }, 'search snapshot refused: all stores are read from the database');
    return null;
  }
}

const WEEK: Store['hours']['operational'] = [[{ startMinute: 540, endMinute: 1530 }], [], [], [], [], [], []];
const OFFER = { enabled: true, accepting: true, prepMinutes: [10, 20] as const };

/** A store with every property that a row can have. */
const SAMPLE: Store = {
  storeId: '0123456789abcdef01234567',
  name: 'Café "Ø"',
  type: 'restaurant',
  phoneNumber: 12125550123,
  description: 'd',
  address: { streetAddr: 's', streetAddr2: 't', city: 'c', state: 'NY', zipcode: 'z', country: 'US' },
  latitude: 40.5,
  longitude: -73.5,
  timeZone: 'America/New_York',
  hours: { operational: WEEK, delivery: WEEK, pickup: null, dine_in: null },
  hoursExceptions: [],
  cuisines: ['pizza'],
  dollarSigns: 2,
  photos: { food: ['https://a.example/f'], logo: ['https://a.example/l'], store: ['https://a.example/s'] },
  rating: { value: 4.5, count: 3 },
  onlineOrdering: true,
  pickup: OFFER,
  delivery: { ...OFFER, parties: [plainParty()] },
  fees: NO_FEES,
  scheduling: NO_SCHEDULING,
  pausedUntil: null,
  roomFrom: null,
  busy: null,
  learned: null,
  supportsUpcCodes: true,
  hasCatalog: true,
  hasChannel: true,
  hasAgreement: true,
  allowsMarkup: true,
  taxClass: 'prepared_food',
  listed: true,
  offers: [{ promotionId: 'p', text: 'o', translations: { fr: 'o', es: 'o' }, code: 'C', endsEpochS: 1 }],
  sandboxAccounts: ['acc'],
};

/** Identifies the rows of this version's snapshots by a full and a bare store's rows. */
function snapshotFormat(): Promise<string> {
  const bare: Store = {
    ...SAMPLE,
    phoneNumber: null,
    rating: null,
    dollarSigns: null,
    offers: undefined,
    sandboxAccounts: null,
    type: 'grocery',
  };
  return storedFormat(
    [SAMPLE, bare].flatMap((store) => {
      const { head, tail, delivery, ...row } = engineRow(store);
      return [JSON.stringify([row, [...delivery]]), head, tail];
    }),
  );
}
