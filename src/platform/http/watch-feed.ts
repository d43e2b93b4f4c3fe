import type { Logger } from 'pino';
import { RetryLog } from '../db/is-database-unavailable.ts';
import { Refusal, retryAfter } from './refusal.ts';

/**
 * Live streams of a process, each on a topic: an order, a store, or the operator's list. The feed polls versions or is
 * woken by `follow`, reads changed topics once for all streams, and sends the news. Late news is merged.
 */

/** Proxies close connections that are silent for 30 to 60 seconds. */
const BEAT_MS = 15_000;
/** Topics read and sent together, small enough that many changes do not delay other work. */
const BATCH = 100;

/** The current state of a topic. Equal versions mean equal news. */
export type News = { readonly version: string };

/** An open stream. Its functions write at once or drop the stream; they never throw. */
export type Watcher<Item extends News> = {
  /** Writes the news. `before` is the last news that the stream got, if the feed still has it. */
  send(news: Item, before: Item | undefined): void;
  /** Writes a heartbeat. `hasRead`: whether the topics were read since the last one. */
  beat(hasRead: boolean): void;
  /** Called when news could not be read, or a change may have been missed. */
  miss(): void;
  end(): void;
};

export type WatchSource<Item extends News> = {
  /** Name of the streams in the log and in errors, such as `consoles`. */
  name: string;
  maxStreams: number;
  maxOfTopic?: number;
  beatMs?: number;
  /** Milliseconds between two version reads; with `follow`, the time when changes are gathered. */
  pauseMs: number;
  /** Starts listening when the first stream opens; calls `wake` or `miss`. Without it, watched topics are polled. */
  follow?(): { close(): Promise<void> };
  /** Reads the versions of topics, if that is cheaper than reading their news. */
  listVersions?(topics: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads the news of topics; omits topics that no longer exist. */
  read(topics: readonly string[]): Promise<ReadonlyMap<string, Item>>;
};

type Topic<Item extends News> = { sent: Item | undefined; versions: Map<Watcher<Item>, string> };

export class WatchFeed<Item extends News> {
  private readonly source: WatchSource<Item>;
  private readonly retryLog: RetryLog;
  private readonly topics = new Map<string, Topic<Item>>();
  private readonly woken = new Set<string>();
  private readonly beating: NodeJS.Timeout;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;
  private isClosed = false;
  private listener: { close(): Promise<void> } | undefined;
  private streams = 0;
  private hasRead = false;

  constructor(source: WatchSource<Item>, log: Logger) {
    this.source = source;
    this.retryLog = new RetryLog(log, `${source.name} could not be read`);
    this.beating = setInterval(() => this.beat(), source.beatMs ?? BEAT_MS).unref();
  }

  get streamCount(): number {
    return this.streams;
  }

  hasRoom(topic: string): boolean {
    const { maxStreams, maxOfTopic = maxStreams } = this.source;
    const ofTopic = this.topics.get(topic)?.versions.size ?? 0;
    return !this.isClosed && this.streams < maxStreams && ofTopic < maxOfTopic;
  }

  /** Refuses a stream beyond the feed's limit. Limits per client and link are in `StreamSlots`. */
  requireRoom(topic: string): void {
    if (this.hasRoom(topic)) return;
    throw new Refusal('not_ready', `Too many ${this.source.name} are open. Try again later.`, retryAfter(30));
  }

  /** Sends a topic's news after `version` to the watcher until the returned function is called. */
  watch(name: string, version: string, watcher: Watcher<Item>): () => void {
    const topic = this.topics.get(name) ?? { sent: undefined, versions: new Map() };
    this.topics.set(name, topic);
    topic.versions.set(watcher, version);
    this.streams += 1;
    if (this.source.follow) this.listener ??= this.source.follow();
    else this.scheduleRead(0);
    return () => {
      if (!topic.versions.delete(watcher)) return;
      this.streams -= 1;
      if (topic.versions.size === 0 && this.topics.get(name) === topic) this.topics.delete(name);
    };
  }

  /** Marks a topic as changed; false if no stream of this process watches it. */
  wake(name: string): boolean {
    if (!this.topics.has(name)) return false;
    this.woken.add(name);
    this.scheduleRead(this.source.pauseMs);
    return true;
  }

  miss(): void {
    this.eachWatcher((watcher) => watcher.miss());
  }

  /** Ends every stream and refuses new ones. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.beating);
    clearTimeout(this.timer);
    await Promise.all([this.reading, this.listener?.close()]);
    this.eachWatcher((watcher) => watcher.end());
  }

  /** Schedules one read, unless one is running or scheduled or no topic is watched. Pauses after each read. */
  private scheduleRead(delayMs: number): void {
    const { follow, pauseMs } = this.source;
    if (this.isClosed || this.timer || this.reading || (follow ? this.woken : this.topics).size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.reading = this.readChanges().then(() => {
        this.reading = undefined;
        this.scheduleRead(pauseMs);
      });
    }, delayMs).unref();
  }

  private async readChanges(): Promise<void> {
    try {
      const changed = await this.listChanged();
      for (let start = 0; start < changed.length; start += BATCH) {
        const news = await this.source.read(changed.slice(start, start + BATCH));
        for (const [name, item] of news) this.send(name, item);
      }
      this.retryLog.worked();
      this.hasRead = true;
    } catch (error) {
      this.hasRead = false;
      this.retryLog.failed(error);
      this.miss();
    }
  }

  private async listChanged(): Promise<string[]> {
    const { follow, listVersions } = this.source;
    if (follow) {
      const woken = [...this.woken];
      this.woken.clear();
      return woken;
    }
    const watched = [...this.topics];
    const names = watched.map(([name]) => name);
    if (!listVersions || names.length === 0) return names;
    const versions = await listVersions(names);
    const hasNews = ([name, topic]: [string, Topic<Item>]) => {
      const version = versions.get(name);
      return version !== undefined && topic.versions.values().some((sent) => sent !== version);
    };
    return watched.filter(hasNews).map(([name]) => name);
  }

  private send(name: string, news: Item): void {
    const topic = this.topics.get(name);
    if (!topic) return;
    const before = topic.sent;
    topic.sent = news;
    for (const [watcher, version] of [...topic.versions]) {
      if (version === news.version) continue;
      topic.versions.set(watcher, news.version);
      watcher.send(news, version === before?.version ? before : undefined);
    }
  }

  private beat(): void {
    const { hasRead } = this;
    this.hasRead = false;
    this.eachWatcher((watcher) => watcher.beat(hasRead));
  }

  private eachWatcher(act: (watcher: Watcher<Item>) => void): void {
    for (const { versions } of [...this.topics.values()]) for (const watcher of [...versions.keys()]) act(watcher);
  }
}
