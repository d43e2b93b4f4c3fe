/** Values of tree nodes. A value is made when it is first asked for, and kept until its node is forgotten. */
export type NodeMemo<Value> = {
  of(node: number): Value;
  /** The value where it is made already. */
  knownOf(node: number): Value | undefined;
  /** A store under the node has come, gone or changed. */
  forget(node: number): void;
};

export function createNodeMemo<Value extends object>(make: (node: number) => Value): NodeMemo<Value> {
  const values = new Map<number, Value>();
  return {
    of(node) {
      const known = values.get(node);
      if (known !== undefined) return known;
      const value = make(node);
      values.set(node, value);
      return value;
    },
    knownOf: (node) => values.get(node),
    forget: (node) => void values.delete(node),
  };
}
