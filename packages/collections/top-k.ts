/** A ranked document: the lower key comes first, then the shorter distance (squared chord of the unit sphere). */
export type RankedDocument = { key: number; chordSquared: number; ref: number };

/**
 * The best offered documents, up to `limit`: a binary heap with the worst on top. `isBefore` breaks ties of key and
 * distance.
 */
export class TopK {
  private readonly isBefore: (one: number, other: number) => boolean;
  private keys = new Float64Array(128);
  private chords = new Float64Array(128);
  private refs = new Uint32Array(128);
  private limit = 0;
  size = 0;

  constructor(isBefore: (one: number, other: number) => boolean) {
    this.isBefore = isBefore;
  }

  reset(limit: number): void {
    this.limit = limit;
    this.size = 0;
    if (limit + 1 <= this.keys.length) return;
    this.keys = new Float64Array(limit + 1);
    this.chords = new Float64Array(limit + 1);
    this.refs = new Uint32Array(limit + 1);
  }

  isFull(): boolean {
    return this.size === this.limit;
  }

  /** Returns the key of the worst kept document; Infinity while there is room. */
  worstKey(): number {
    return this.size < this.limit ? Infinity : (this.keys[0] as number);
  }

  worstChord(): number {
    return this.size < this.limit ? Infinity : (this.chords[0] as number);
  }

  offer(key: number, chordSquared: number, ref: number): void {
    if (this.size < this.limit) {
      this.rise(this.size, key, chordSquared, ref);
      this.size += 1;
    } else if (this.limit > 0 && this.isWorse(0, key, chordSquared, ref)) this.sink(this.size, key, chordSquared, ref);
  }

  /** Returns the kept documents, best first, and empties the heap. */
  drain(): RankedDocument[] {
    const ranked: RankedDocument[] = new Array(this.size);
    for (let last = this.size - 1; last >= 0; last -= 1) {
      ranked[last] = {
        key: this.keys[0] as number,
        chordSquared: this.chords[0] as number,
        ref: this.refs[0] as number,
      };
      this.sink(last, this.keys[last] as number, this.chords[last] as number, this.refs[last] as number);
    }
    this.size = 0;
    return ranked;
  }

  /** Whether the heap's document at `at` ranks after the given one. */
  private isWorse(at: number, key: number, chordSquared: number, ref: number): boolean {
    const own = this.keys[at] as number;
    if (own !== key) return own > key;
    const chord = this.chords[at] as number;
    return chord === chordSquared ? this.isBefore(ref, this.refs[at] as number) : chord > chordSquared;
  }

  private put(at: number, key: number, chordSquared: number, ref: number): void {
    this.keys[at] = key;
    this.chords[at] = chordSquared;
    this.refs[at] = ref;
  }

  private move(to: number, from: number): void {
    this.put(to, this.keys[from] as number, this.chords[from] as number, this.refs[from] as number);
  }

  private rise(from: number, key: number, chordSquared: number, ref: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.isWorse(parent, key, chordSquared, ref)) break;
      this.move(at, parent);
      at = parent;
    }
    this.put(at, key, chordSquared, ref);
  }

  /** Replaces the top of a heap of this length and restores the heap order. */
  private sink(length: number, key: number, chordSquared: number, ref: number): void {
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      const right = child + 1;
      if (
        right < length &&
        this.isWorse(right, this.keys[child] as number, this.chords[child] as number, this.refs[child] as number)
      ) {
        child = right;
      }
      if (!this.isWorse(child, key, chordSquared, ref)) break;
      this.move(at, child);
      at = child;
    }
    this.put(at, key, chordSquared, ref);
  }
}
