/** A tree node that is still to be visited, with its part of the segment's posting list. */
export type WaitingNode = {
  key: number;
  chordSquared: number;
  /** The segment's number in its view, the node's level, and its number within the level. */
  segment: number;
  level: number;
  nth: number;
  /** The node's part of the segment's list; both -1 until the segment is prepared. */
  from: number;
  end: number;
};

const INITIAL_CAPACITY = 256;
const PARTS = 5;

/** Priority queue of nodes to visit: a binary heap by best bound; ties go to the nearer node. */
export class NodeHeap {
  readonly top: WaitingNode = { key: 0, chordSquared: 0, segment: 0, level: 0, nth: 0, from: 0, end: 0 };
  size = 0;
  private keys = new Float64Array(INITIAL_CAPACITY);
  private chords = new Float64Array(INITIAL_CAPACITY);
  /** Integers per node: segment, level, number within the level, and start and end of its part of the list. */
  private parts = new Int32Array(INITIAL_CAPACITY * PARTS);

  clear(): void {
    this.size = 0;
  }

  push(
    key: number,
    chordSquared: number,
    segment: number,
    level: number,
    nth: number,
    from: number,
    end: number,
  ): void {
    if (this.size === this.keys.length) this.grow();
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isAfter(parent, key, chordSquared)) break;
      this.move(at, parent);
      at = parent;
    }
    this.keys[at] = key;
    this.chords[at] = chordSquared;
    const { parts } = this;
    const part = at * PARTS;
    parts[part] = segment;
    parts[part + 1] = level;
    parts[part + 2] = nth;
    parts[part + 3] = from;
    parts[part + 4] = end;
  }

  /** Moves the best node to `top`. */
  pop(): void {
    const { top, parts } = this;
    top.key = this.keys[0] as number;
    top.chordSquared = this.chords[0] as number;
    top.segment = parts[0] as number;
    top.level = parts[1] as number;
    top.nth = parts[2] as number;
    top.from = parts[3] as number;
    top.end = parts[4] as number;
    this.size -= 1;
    if (this.size > 0) this.sink(this.size);
  }

  private isAfter(at: number, key: number, chordSquared: number): boolean {
    const own = this.keys[at] as number;
    return own === key ? (this.chords[at] as number) > chordSquared : own > key;
  }

  private sink(moving: number): void {
    const [key, chord] = [this.keys[moving] as number, this.chords[moving] as number];
    let at = 0;
    for (let child = 1; child < this.size; child = 2 * at + 1) {
      const right = child + 1;
      if (right < this.size && this.isAfter(child, this.keys[right] as number, this.chords[right] as number))
        child = right;
      if (this.isAfter(child, key, chord)) break;
      this.move(at, child);
      at = child;
    }
    this.move(at, moving);
  }

  private move(to: number, from: number): void {
    this.keys[to] = this.keys[from] as number;
    this.chords[to] = this.chords[from] as number;
    const { parts } = this;
    const [target, source] = [to * PARTS, from * PARTS];
    parts[target] = parts[source] as number;
    parts[target + 1] = parts[source + 1] as number;
    parts[target + 2] = parts[source + 2] as number;
    parts[target + 3] = parts[source + 3] as number;
    parts[target + 4] = parts[source + 4] as number;
  }

  private grow(): void {
    const [keys, chords, parts] = [this.keys, this.chords, this.parts];
    this.keys = new Float64Array(keys.length * 2);
    this.chords = new Float64Array(keys.length * 2);
    this.parts = new Int32Array(parts.length * 2);
    this.keys.set(keys);
    this.chords.set(chords);
    this.parts.set(parts);
  }
}
