import { type FileHandle, open, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeFolder, ONLY_OWN, readChecked, writeChecked } from 'doorstep/files';
import type { Shelf } from './product.index.ts';
import { isWholeShelf, readShelfHead, sealShelf } from './shelf.ts';
import { ShelfDirectory, type ShelfPlace } from './shelf-directory.index.ts';
import type { ShelfUsage } from './shelf-usage.index.ts';
import type { TermLog } from './term-log.index.ts';

/** Maximum bytes of a file before the next one begins. */
const FILE_BYTES = 2 ** 26;
/** Minimum number of files in a full folder, so that one file is a small part of an eviction. */
const MIN_FILES = 8;
/** Minimum share of live bytes before a file's shelves move to another. */
const MIN_LIVE_SHARE = 1 / 2;

const TERMS = 'terms';
const SHELF_FILE = /^(\d+)\.shelves$/;
export const shelfFile = (folder: string, number: number) => join(folder, `${number}.shelves`);
const listFile = (folder: string, number: number) => join(folder, `${number}.list`);

/** A sealed file's shelves, and the bytes of the term log that have all their terms. */
type Listed = {
  termBytes: number;
  shelves: readonly (readonly [storeId: string, at: number, length: number, seq: number])[];
};
type OpenFile = { number: number; handle: FileHandle; bytes: number; listed: Map<string, ShelfPlace> };
type Waiting = { shelf: Shelf; seq: number };

export type ShelfFilesOptions = {
  folder: string;
  maxBytes: number;
  log: TermLog;
  usage: ShelfUsage;
  /** Bytes that are free on the folder's disk. */
  freeBytes?: (folder: string) => Promise<number>;
  /** Called with the new directory when the old one is full. */
  onGrow(directory: ShelfDirectory): void;
};

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Shelves in the files of a folder, written by one thread. Shelves only get appended, so a killed process leaves whole
 * ones and up to one part; a full file is sealed by a list of its shelves. The directory knows the latest shelf of each
 * store. The least recently read file goes first when the folder is full, and a file whose shelves were mostly replaced
 * goes after its others have moved.
 */
export class ShelfFiles {
  directory = new ShelfDirectory();
  /** Maximum bytes: the setting's, or half of the disk space left by others and shelves. */
  maxBytes: number;
  private readonly options: ShelfFilesOptions;
  private readonly fileBytes: number;
  /** By number, the bytes of each file and of its shelves that are still valid. */
  private readonly files = new Map<number, { bytes: number; live: number }>();
  private waiting = new Map<string, Waiting>();
  private writing = new Map<string, Waiting>();
  private current: OpenFile | undefined;
  private nextFile = 1;
  /** The terms on the disk, as bytes of the log and of their file. */
  private savedTerms = 0;
  private termsBytes = 0;

  constructor(options: ShelfFilesOptions) {
    this.options = options;
    this.maxBytes = options.maxBytes;
    this.fileBytes = Math.min(FILE_BYTES, Math.floor(options.maxBytes / MIN_FILES));
  }

  get bytes(): number {
    return this.files.values().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get waitingBytes(): number {
    return this.waiting.values().reduce((sum, { shelf }) => sum + shelf.length, 0);
  }

  /** Reads the terms and the directory; shelves with a change above `maxSeq` are left out. False if terms are damaged. */
  async read(maxSeq: number): Promise<boolean> {
    const { folder } = this.options;
    if (!(await this.readTerms())) return false;
    const numbers = (await readdir(folder)).flatMap((name) => SHELF_FILE.exec(name)?.[1] ?? []).map(Number);
    for (const number of numbers.sort((a, b) => a - b)) {
      this.nextFile = number + 1;
      this.files.set(number, { bytes: (await stat(shelfFile(folder, number))).size, live: 0 });
      const { termBytes, shelves } = await this.listedIn(number);
      // Terms are written first, so they were damaged since.
      if (termBytes > this.options.log.end) return false;
      for (const [storeId, at, length, seq] of shelves) {
        const known = this.directory.find(storeId);
        if (seq <= maxSeq && (known === undefined || known.seq <= seq))
          this.put(storeId, { file: number, at, length, seq });
      }
    }
    return true;
  }

  /** Removes everything; loaded terms stay, and are written again. */
  async clear(): Promise<void> {
    const { folder } = this.options;
    [this.savedTerms, this.termsBytes] = [0, 0];
    this.files.clear();
    this.directory = new ShelfDirectory();
    await rm(folder, { recursive: true, force: true });
    await makeFolder(folder, ONLY_OWN.folder);
  }

  /** Takes a shelf to be written with the next ones. */
  add(storeId: string, shelf: Shelf, seq: number): void {
    this.drop(storeId, seq);
    if (shelf.length <= this.fileBytes) this.waiting.set(storeId, { shelf, seq });
  }

  /** Forgets a shelf that does not have this change. */
  drop(storeId: string, seq: number): void {
    for (const shelves of [this.waiting, this.writing]) {
      const known = shelves.get(storeId);
      if (known !== undefined && known.seq < seq) shelves.delete(storeId);
    }
    const place = this.directory.find(storeId);
    if (place === undefined || place.seq >= seq) return;
    this.directory.delete(storeId);
    this.countLive(place, -1);
  }

  has(storeId: string): boolean {
    return this.waiting.has(storeId) || this.writing.has(storeId) || this.directory.find(storeId) !== undefined;
  }

  /** Writes waiting parts. Terms are on the disk before the first shelf that uses them. */
  async write(): Promise<void> {
    if (this.waiting.size === 0) return;
    [this.writing, this.waiting] = [this.waiting, new Map()];
    const places = new Map<string, ShelfPlace>();
    const parts: Shelf[] = [];
    try {
      await this.writeTerms();
      this.current ??= await this.begin();
      const { current } = this;
      let at = current.bytes;
      for (const [storeId, { shelf, seq }] of this.writing) {
        sealShelf(shelf, seq, this.savedTerms);
        parts.push(shelf);
        places.set(storeId, { file: current.number, at, length: shelf.length, seq });
        at += shelf.length;
      }
      await current.handle.appendFile(Buffer.concat(parts));
      current.bytes = at;
      this.files.set(current.number, { bytes: at, live: this.files.get(current.number)?.live ?? 0 });
      for (const [storeId, place] of places) {
        current.listed.set(storeId, place);
        if (this.writing.has(storeId)) this.put(storeId, place);
      }
      if (at >= this.fileBytes) await this.seal();
    } catch (error) {
      // Later parts go to another file.
      await this.seal().catch(() => {});
      throw error;
    } finally {
      this.writing.clear();
    }
    await this.makeRoom();
  }

  /** Seals the last file, so that the next start need not read it. */
  async close(): Promise<void> {
    await this.write();
    await this.seal();
  }

  private put(storeId: string, place: ShelfPlace): void {
    const known = this.directory.find(storeId);
    if (known !== undefined) this.countLive(known, -1);
    if (!this.directory.put(storeId, place)) {
      this.directory = this.directory.grown();
      this.directory.put(storeId, place);
      this.options.onGrow(this.directory);
    }
    this.countLive(place, 1);
  }

  private countLive({ file, length }: ShelfPlace, sign: 1 | -1): void {
    const known = this.files.get(file);
    if (known !== undefined) known.live += sign * length;
  }

  private async begin(): Promise<OpenFile> {
    const number = this.nextFile;
    this.nextFile += 1;
    const handle = await open(shelfFile(this.options.folder, number), 'ax', ONLY_OWN.file);
    this.options.usage.note(number);
    return { number, handle, bytes: 0, listed: new Map() };
  }

  private async seal(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    if (current === undefined) return;
    await current.handle.datasync();
    await current.handle.close();
    await this.writeList(current.number, this.savedTerms, current.listed);
  }

  private async writeList(number: number, termBytes: number, listed: ReadonlyMap<string, ShelfPlace>): Promise<Listed> {
    const shelves = Array.from(listed, ([storeId, { at, length, seq }]) => [storeId, at, length, seq] as const);
    const list: Listed = { termBytes, shelves };
    await writeChecked(listFile(this.options.folder, number), list);
    return list;
  }

  /** The shelves of a file: by its list, or without one by reading it up to the first that is not whole. */
  private async listedIn(number: number): Promise<Listed> {
    const { folder } = this.options;
    const known = await readChecked<Listed>(listFile(folder, number));
    if (known !== null) return known;
    const bytes = await readFile(shelfFile(folder, number));
    const listed = new Map<string, ShelfPlace>();
    let termBytes = 0;
    for (let at = 0; at < bytes.length; ) {
      const head = readShelfHead(bytes.subarray(at));
      if (head === undefined || !isWholeShelf(bytes.subarray(at, at + head.length))) break;
      listed.set(head.storeId, { file: number, at, length: head.length, seq: head.seq });
      termBytes = head.termBytes;
      at += head.length;
    }
    return this.writeList(number, termBytes, listed);
  }

  private async makeRoom(): Promise<void> {
    const { folder, maxBytes, usage, freeBytes = freeOnDisk } = this.options;
    this.maxBytes = Math.min(maxBytes, (this.bytes + (await freeBytes(folder))) / 2);
    const sealed = () => [...this.files].filter(([number]) => number !== this.current?.number);
    while (this.bytes > this.maxBytes) {
      const oldest = sealed().sort(([a], [b]) => usage.lastRead(a) - usage.lastRead(b) || a - b)[0];
      if (oldest === undefined) return;
      await this.remove(oldest[0]);
    }
    const sparse = sealed().find(([, { bytes, live }]) => live <= bytes * MIN_LIVE_SHARE);
    if (sparse !== undefined) await this.move(sparse[0]);
  }

  /** Removes a file; its shelves that are valid are forgotten. */
  private async remove(number: number): Promise<void> {
    const { folder } = this.options;
    for (const [storeId, at] of (await this.listedIn(number)).shelves) {
      const place = this.directory.find(storeId);
      if (place?.file === number && place.at === at) this.directory.delete(storeId);
    }
    this.files.delete(number);
    await rm(shelfFile(folder, number), { force: true });
    await rm(listFile(folder, number), { force: true });
  }

  /** Writes a file's valid shelves again, in their order, and removes the file. */
  private async move(number: number): Promise<void> {
    const file = this.files.get(number) as { bytes: number; live: number };
    const bytes = await readFile(shelfFile(this.options.folder, number));
    const { shelves } = await this.listedIn(number);
    this.files.delete(number);
    try {
      for (const [storeId, at, length, seq] of shelves) {
        const place = this.directory.find(storeId);
        const part = bytes.subarray(at, at + length);
        if (place?.file !== number || place.at !== at || this.waiting.has(storeId) || !isWholeShelf(part)) continue;
        this.waiting.set(storeId, { shelf: new Uint8Array(part), seq });
      }
      await this.write();
    } catch (error) {
      this.files.set(number, file);
      throw error;
    }
    await this.remove(number);
  }

  /** Appends the terms that are new: their length, its complement, a checksum, and the terms. */
  private async writeTerms(): Promise<void> {
    const { folder, log } = this.options;
    const { end } = log;
    if (end === this.savedTerms) return;
    const terms = log.bytes(this.savedTerms, end);
    const head = Buffer.alloc(TERMS_HEAD_BYTES);
    head.writeUInt32LE(terms.length, 0);
    head.writeUInt32LE(~terms.length >>> 0, 4);
    head.writeUInt32LE(crc32(terms), 8);
    const handle = await open(join(folder, TERMS), 'a', ONLY_OWN.file);
    try {
      // A part of an earlier try may be there.
      await handle.truncate(this.termsBytes);
      await handle.appendFile(Buffer.concat([head, terms]));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    this.savedTerms = end;
    this.termsBytes += head.length + terms.length;
  }

  /** Returns false if terms are damaged. A last part that was not written whole is no damage: no shelf has its terms. */
  private async readTerms(): Promise<boolean> {
    const { folder, log } = this.options;
    const bytes = await readFile(join(folder, TERMS)).catch(() => Buffer.alloc(0));
    let at = 0;
    while (at + TERMS_HEAD_BYTES <= bytes.length) {
      const length = bytes.readUInt32LE(at);
      if (bytes.readUInt32LE(at + 4) !== ~length >>> 0) return false;
      const terms = bytes.subarray(at + TERMS_HEAD_BYTES, at + TERMS_HEAD_BYTES + length);
      if (terms.length < length) break;
      if (crc32(terms) !== bytes.readUInt32LE(at + 8)) return false;
      log.append(terms);
      at += TERMS_HEAD_BYTES + length;
    }
    this.termsBytes = at;
    this.savedTerms = log.end;
    return true;
  }
}

const TERMS_HEAD_BYTES = 12;
