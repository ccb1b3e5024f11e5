/**
 * Keeps screens alive in a page that the browser translates. Chrome puts each text into `<font>` elements of its own, so React
 * removes a node, or inserts one before a node, that is no longer where it was put. Without this the whole screen goes, with
 * what was typed there (https://github.com/facebook/react/issues/11538).
 */
type Remove = (this: Node, child: Node) => Node;
type Insert = (this: Node, node: Node, before: Node | null) => Node;

if (!import.meta.env.SSR) {
  const { prototype } = Node;
  const remove = Reflect.get(prototype, 'removeChild') as Remove;
  const insert = Reflect.get(prototype, 'insertBefore') as Insert;

  Object.assign(prototype, {
    removeChild(this: Node, child: Node): Node {
      // A text that was moved is removed where it is now; one that was replaced is gone already.
      const parent = child.parentNode;
      return parent ? remove.call(parent, child) : child;
    },
    insertBefore(this: Node, node: Node, before: Node | null): Node {
      // Where a text was moved, the place before it is that of what now holds it.
      let place = before;
      while (place && place.parentNode !== this) place = place.parentNode;
      return insert.call(this, node, place);
    },
  } satisfies { removeChild: Remove; insertBefore: Insert });
}
