import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type DirectoryLock, tryLock } from 'doorstep/embedded-database';
import { makeFolder, ONLY_OWN, readChecked, writeChecked } from 'doorstep/files';
import type { Logger } from 'pino';
import type { Sql } from '../../platform/db/connect.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { ShelfAccess, ShelfFollower, ShelfLocation } from '../stores/shelf-access.ts';
import { findMark, insertMark } from '../stores/snapshot-marks.db.ts';
import { storedFormat } from '../stores/stored-format.flow.ts';
import { type ProductColumns, ProductIndexBuilder } from './build-product-index.ts';
import { ShelfBuilder } from './build-shelves.flow.ts';
import type { Shelf } from './product.index.ts';
import { listChangesSince } from './product-indexes.db.ts';
import { STOCK_COUNT_BIT } from './product-layout.ts';
import { ProductTerms } from './product-terms.index.ts';
import { STOP_WORDS, UNIT_NAMES } from './product-words.ts';
import { ShelfFiles } from './shelf-files.cache.ts';
import type { FromShelfReader, ToShelfReader } from './shelf-messages.ts';
import { ShelfUsage } from './shelf-usage.index.ts';
import { TermLog } from './term-log.index.ts';
import { ROLE_WORDS } from './word-roles.ts';

/** Stores per build of the background, and the owner of its work. */
const STORES_PER_BUILD = 25;
const BACKGROUND = 'shelves';
/** Maximum stores to look up for one build: after a start nearly all have a shelf. */
const MAX_LOOKUPS_PER_BUILD = 5000;
/** Milliseconds without a change before a store's shelf is built again. */
const QUIET_MS = 2000;
const WRITE_MS = 500;
const MARK_MS = 60_000;
const IDLE_MS = 200;
const RETRY_MS = 60_000;
/** Maximum bytes that wait to be written; more shelves are built again when they are needed. */
const MAX_WAITING_BYTES = 2 ** 26;
/** Share of the folder to fill with shelves that no one has needed yet. */
const MAX_FILLED_SHARE = 0.9;

/** Maximum processes that share a folder; further ones keep no shelves. */
const MAX_FOLDERS = 8;

const MANIFEST = 'shelves.json';

/** The meaning of a folder's shelves: the rules of words and layouts, and a mark in the history of their database. */
type Manifest = { format: string; mark: string };

export type ShelfKeeperOptions = {
  db: Sql;
  /** Folder of the node's files, and maximum bytes of shelves; null keeps none. */
  kept: { folder: string; maxBytes: number } | null;
  maxTerms?: number | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
};

/**
 * Keeps a node's shelves, in the thread that follows the change feed: builds shelves that searching threads need, and
 * writes them to files; forgets a changed store's shelf, and builds it again once the store is quiet; builds unneeded
 * shelves last.
 */
export class ShelfKeeper implements ShelfFollower {
  private readonly db: Sql;
  private readonly kept: ShelfKeeperOptions['kept'];
  private readonly log: ShelfKeeperOptions['log'];
  private readonly usage = new ShelfUsage();
  private readonly terms: ProductTerms;
  private readonly builder: ShelfBuilder;
  /** The folder that this process has for itself, and its files. */
  private folder = '';
  private files: ShelfFiles | null = null;
  private lock: DirectoryLock | undefined;
  private readonly readers = new Set<MessagePort>();
  private readonly opened = Promise.withResolvers<void>();
  /** Stores whose shelf is to be built again, with the time. */
  private readonly changed = new Map<string, number>();
  private ahead: Iterator<string> = [].values();
  /** Every change up to this one is known; undefined before all stores are. */
  private seq: number | undefined;
  private isRead = false;
  private isOpen = false;
  private isClosed = false;
  private mark = '';
  private markedMs = 0;
  private nextTryMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor({ db, kept, log, maxTerms }: ShelfKeeperOptions) {
    this.terms = new ProductTerms(new TermLog(), maxTerms);
    this.db = db;
    this.kept = kept;
    this.log = log;
    const reportLeftOut = (...report: Extract<ToShelfReader, { kind: 'left out' }>['report']) => {
      const [reader] = this.readers;
      reader?.postMessage({ kind: 'left out', report } satisfies ToShelfReader);
    };
    this.builder = new ShelfBuilder({ db, terms: this.terms, reportLeftOut });
  }

  /** A searching thread's data; its port must be transferred. */
  connect(): ShelfAccess {
    const { port1, port2 } = new MessageChannel();
    this.readers.add(port1);
    port1.on('message', (request: FromShelfReader) => void this.answer(port1, request));
    port1.on('close', () => this.readers.delete(port1));
    return { terms: this.terms.log.memory, usage: this.usage.memory, shelves: this.location(), port: port2 };
  }

  /** Reads the shelves of the folder, and forgets shelves whose store has changed since, also while it reads. */
  async open(): Promise<void> {
    if (this.files === null && this.kept !== null) {
      const { folder, maxBytes } = this.kept;
      this.files = await this.takeFolder(folder, maxBytes).catch((error) => this.keepNone(error));
    }
    if (this.files !== null && !this.isRead) {
      // A failed start is repeated, and terms must be read once.
      if (!(await this.readFiles(this.files))) await this.begin(this.files);
      this.isRead = true;
    }
    const { files } = this;
    if (files !== null) {
      for (const _ of this.terms.follow()) await new Promise((resolve) => setImmediate(resolve));
      for await (const changes of listChangesSince(this.db, files.directory.minSeq)) {
        for (const { storeId, seq } of changes) files.drop(storeId, seq);
      }
    }
    if (this.isClosed) return;
    this.isOpen = true;
    this.opened.resolve();
    this.postShelves();
    if (files !== null) this.timer = setInterval(() => this.tick(files), WRITE_MS);
  }

  /** Notes a change of a store before any searching thread sees it. */
  change(storeId: string, seq: number, isSeller: boolean): void {
    this.builder.drop(storeId);
    if (this.files === null) return;
    if (isSeller && (this.files.has(storeId) || this.changed.has(storeId))) {
      this.changed.delete(storeId);
      this.changed.set(storeId, performance.now() + QUIET_MS);
    }
    this.files.drop(storeId, seq);
  }

  /** Notes that all changes up to this one are known. */
  complete(seq: number): void {
    this.seq = seq;
  }

  /** Builds the shelves of these stores in the background where there is room. */
  buildAhead(storeIds: Iterator<string>): void {
    this.ahead = storeIds;
    void this.opened.promise.then(() => (this.files === null ? undefined : this.work(this.files)));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    await this.running;
    if (this.isOpen && this.files !== null) {
      await this.files.close().catch((error) => this.failed(error));
      await this.saveMark().catch(() => {});
    }
    this.lock?.release();
    for (const reader of this.readers) reader.close();
  }

  /** Takes a folder that no other process has, because nodes may share their parent. */
  private async takeFolder(parent: string, maxBytes: number): Promise<ShelfFiles | null> {
    await makeFolder(parent, ONLY_OWN.folder);
    for (let nth = 1; nth <= MAX_FOLDERS && this.lock === undefined; nth += 1) {
      this.folder = join(parent, String(nth));
      this.lock = tryLock(`${this.folder}.lock`, 'exclusive');
    }
    if (this.lock === undefined) return null;
    const onGrow = () => this.postShelves();
    return new ShelfFiles({ folder: this.folder, maxBytes, log: this.terms.log, usage: this.usage, onGrow });
  }

  private async readFiles(files: ShelfFiles): Promise<boolean> {
    const { folder } = this;
    const manifest = await readChecked<Manifest>(join(folder, MANIFEST));
    if (manifest === null || manifest.format !== (await shelfFormat())) return false;
    const seq = await findMark(this.db, manifest.mark);
    if (seq === undefined || !(await files.read(seq).catch(() => false))) {
      this.log.warn({ folder }, 'shelves refused: they are damaged or of another database');
      return false;
    }
    this.mark = manifest.mark;
    this.log.info({ bytes: files.bytes }, 'shelves found');
    return true;
  }

  private async begin(files: ShelfFiles): Promise<void> {
    const { folder } = this;
    this.mark = randomId('shf_', 18);
    await this.saveMark();
    const manifest: Manifest = { format: await shelfFormat(), mark: this.mark };
    try {
      await files.clear();
      await writeChecked(join(folder, MANIFEST), manifest);
    } catch (error) {
      this.files = this.keepNone(error);
    }
  }

  /** Continues without files, as a node without a folder. */
  private keepNone(error: unknown): null {
    this.log.warn({ err: error }, 'shelves cannot be kept: menus are read again');
    return null;
  }

  private async saveMark(): Promise<void> {
    this.markedMs = performance.now();
    await insertMark(this.db, this.mark);
  }

  private async answer(port: MessagePort, { id, storeIds, owner }: FromShelfReader): Promise<void> {
    const post = (message: ToShelfReader) => port.postMessage(message);
    const isEarly = !this.isOpen;
    try {
      await this.opened.promise;
      // The reader has the directory now, and reads again.
      if (isEarly && this.files !== null) return post({ kind: 'built', id, shelves: [] });
      const shelves = await this.builder.build(storeIds, owner, (storeId, shelf) => this.keep(storeId, shelf));
      post({ kind: 'built', id, shelves: [...shelves] });
    } catch (error) {
      post({ kind: 'failed', id, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  private keep(storeId: string, shelf: Shelf): void {
    const { files, seq } = this;
    if (files === null || seq === undefined || files.waitingBytes > MAX_WAITING_BYTES) return;
    this.changed.delete(storeId);
    if (performance.now() >= this.nextTryMs) files.add(storeId, shelf, seq);
  }

  private tick(files: ShelfFiles): void {
    this.running = this.running.then(async () => {
      try {
        await files.write();
        if (performance.now() - this.markedMs > MARK_MS) await this.saveMark();
      } catch (error) {
        this.failed(error);
      }
    });
  }

  private failed(error: unknown): void {
    this.nextTryMs = performance.now() + RETRY_MS;
    this.log.warn({ err: error }, 'shelves not written');
  }

  /** Builds in the background, and rests after each build as long as it took. */
  private async work(files: ShelfFiles): Promise<void> {
    while (!this.isClosed) {
      const startMs = performance.now();
      const storeIds = this.nextStores(files);
      if (storeIds.length > 0) {
        await this.builder
          .build(storeIds, BACKGROUND, (storeId, shelf) => this.keep(storeId, shelf))
          .catch((error) => this.failed(error));
      }
      const ms = storeIds.length === 0 ? IDLE_MS : performance.now() - startMs;
      await new Promise((resolve) => setTimeout(resolve, ms).unref());
    }
  }

  private nextStores(files: ShelfFiles): string[] {
    const storeIds: string[] = [];
    const nowMs = performance.now();
    if (nowMs < this.nextTryMs) return storeIds;
    for (const [storeId, dueMs] of this.changed) {
      if (dueMs > nowMs || storeIds.length === STORES_PER_BUILD) break;
      this.changed.delete(storeId);
      storeIds.push(storeId);
    }
    const hasRoom = files.bytes < files.maxBytes * MAX_FILLED_SHARE;
    for (let nth = 0; hasRoom && nth < MAX_LOOKUPS_PER_BUILD && storeIds.length < STORES_PER_BUILD; nth += 1) {
      const { value: storeId, done } = this.ahead.next();
      if (done) break;
      if (!files.has(storeId)) storeIds.push(storeId);
    }
    return storeIds;
  }

  private location(): ShelfLocation | null {
    if (!this.isOpen || this.files === null) return null;
    return { folder: this.folder, directory: this.files.directory.memory };
  }

  private postShelves(): void {
    const shelves = this.location();
    if (shelves === null) return;
    for (const reader of this.readers) reader.postMessage({ kind: 'directory', ...shelves } satisfies ToShelfReader);
  }
}

/** Names with everything that the words of a name depend on, alongside the kinds of words. */
const NAMES = [
  'Whole Milk, 2%',
  'Eggs - large (12 ct)',
  'Bread with raisins',
  'Pain de mie',
  'Chips w/ salsa [new]',
  '½ Gâteau',
  "Men's 7Up 12oz",
  'Tea; green: loose',
  'Potato/Tortilla Chips',
  'Milk milk MILK',
  '',
];
const SIZES = ['1 gal', '12 fl oz', '500ml', '', 'ea'];
const CODES = ['036000291452', '4006381333931', '', '12'];

/** Identifies this version's meaning of the shelf and a menu's terms, by kind of word. */
function shelfFormat(): Promise<string> {
  const terms = new ProductTerms();
  const words = [...STOP_WORDS, ...UNIT_NAMES, ...ROLE_WORDS].flatMap((word) => [`sample ${word}`, `${word} sample`]);
  const products = sampleOf([...NAMES, ...words]);
  const categories = {
    categoryNos: Int32Array.of(7, 9),
    names: ['Dairy & eggs', 'Snacks'],
    taxCodes: Int32Array.of(0, 2),
  };
  const builder = new ProductIndexBuilder('0123456789abcdef01234567', categories, terms);
  builder.add(products, 0, products.names.length);
  const { log } = terms;
  return storedFormat([builder.finish().shelf, log.bytes(0, log.end)]);
}

function sampleOf(names: readonly string[]): ProductColumns {
  const column = (of: (at: number) => number) => Int32Array.from(names, (_, at) => of(at));
  const nth = (values: readonly string[], at: number) => values[at % values.length] as string;
  return {
    productNos: column((at) => at + 1),
    categoryNos: column((at) => 7 + (at % 3)),
    deliveryCents: column((at) => 100 + at),
    pickupCents: column((at) => 90 + at),
    extraCents: column((at) => at % 2),
    claims: column((at) => at % 5),
    taxCodes: column((at) => at % 3),
    facts: column((at) => 1 + (at % 3) + (at % 2) * STOCK_COUNT_BIT),
    names,
    sizes: names.map((_, at) => nth(SIZES, at)),
    upcCodes: names.map((_, at) => nth(CODES, at)),
  };
}
