/** Concurrency limits per node for one kind of outside work, overall and per owner. */
export type WorkLimits = {
  /** Maximum concurrent work of the node. */
  max: number;
  /** Maximum concurrent work of one fast owner. */
  perOwner: number;
  /** Initial limit of an owner; each fast completion raises it by one. */
  first: number;
  /**
   * An owner whose last work took at least this many milliseconds is slow, and limited to one piece of work at a time.
   */
  slowMs: number;
  /** Maximum concurrent work of all slow owners together. */
  maxSlow: number;
};

/** Maximum known owners; beyond it, the least recently used idle owner is evicted. */
const MAX_KNOWN = 2000;

type Owner = { running: number; limit: number; isSlow: boolean };

/** An owner's running work, and how much more it may start. An owner without an allowance may start `first`. */
export type Allowance = { owner: string; calls: number; running: number };

/** Limits of one lease: `free` rows in all, and `others` per owner without an allowance. */
export type TakeLimits = { free: number; allowances: readonly Allowance[]; others: number };

/** Decides how many rows of each owner a lease may take. */
export type Limiter = {
  readonly free: number;
  allowances(): Allowance[];
  /** Rows of an owner without an allowance. */
  readonly others: number;
  started(owner: string): void;
  ended(owner: string, tookMs: number): void;
};

/** Concurrency limit per owner for calls to outside services, so a hanging service delays only its own owner. */
export class OwnerLimiter implements Limiter {
  private readonly limits: WorkLimits;
  /** Least recently used first. */
  private readonly owners = new Map<string, Owner>();
  private running = 0;

  constructor(limits: WorkLimits) {
    this.limits = limits;
  }

  get free(): number {
    return this.limits.max - this.running;
  }

  get others(): number {
    return this.limits.first;
  }

  allowances(): Allowance[] {
    const slow = this.owners.values().filter((owner) => owner.isSlow);
    let slowFree = this.limits.maxSlow - slow.reduce((sum, owner) => sum + owner.running, 0);
    return [...this.owners].map(([owner, { isSlow, limit, running }]) => {
      const calls = Math.max(0, limit - running);
      if (!isSlow) return { owner, calls, running };
      const granted = Math.min(calls, Math.max(0, slowFree));
      slowFree -= granted;
      return { owner, calls: granted, running };
    });
  }

  started(name: string): void {
    this.running += 1;
    this.use(name).running += 1;
  }

  ended(name: string, tookMs: number): void {
    this.running -= 1;
    const owner = this.use(name);
    owner.running -= 1;
    owner.isSlow = tookMs >= this.limits.slowMs;
    owner.limit = owner.isSlow ? 1 : Math.min(this.limits.perOwner, owner.limit + 1);
    this.forgetOldest();
  }

  private use(name: string): Owner {
    const owner = this.owners.get(name) ?? { running: 0, limit: this.limits.first, isSlow: false };
    this.owners.delete(name);
    this.owners.set(name, owner);
    return owner;
  }

  private forgetOldest(): void {
    if (this.owners.size <= MAX_KNOWN) return;
    const idle = this.owners.entries().find(([, owner]) => owner.running === 0);
    if (idle) this.owners.delete(idle[0]);
  }
}

/** A fixed limit for each owner. Rows of other owners are left to other nodes. */
export class FixedLimiter implements Limiter {
  readonly others = 0;
  private readonly owners: ReadonlyMap<string, { running: number; limit: number }>;

  constructor(limits: ReadonlyMap<string, number>) {
    this.owners = new Map([...limits].map(([owner, limit]) => [owner, { running: 0, limit }]));
  }

  get free(): number {
    return this.owners.values().reduce((sum, { running, limit }) => sum + limit - running, 0);
  }

  allowances(): Allowance[] {
    return [...this.owners].map(([owner, { running, limit }]) => ({ owner, calls: limit - running, running }));
  }

  started(name: string): void {
    this.count(name, 1);
  }

  ended(name: string): void {
    this.count(name, -1);
  }

  private count(name: string, more: number): void {
    const owner = this.owners.get(name);
    if (owner) owner.running += more;
  }
}
