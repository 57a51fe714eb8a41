/**
 * Cycles in a graph. Pure.
 *
 * Invariant: a graph has a cycle if and only if at least one is found. There may be more cycles than the reported ones.
 */

/** Paths around cycles of the graph. Each path starts and ends with the same node. */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const done = new Set<string>();
  const follow = (node: string, way: readonly string[]): void => {
    const at = way.indexOf(node);
    if (at !== -1) found.push([...way.slice(at), node]);
    if (at !== -1 || done.has(node)) return;
    for (const next of new Set(graph.get(node) ?? [])) follow(next, [...way, node]);
    done.add(node);
  };
  for (const node of graph.keys()) follow(node, []);
  return found;
}
