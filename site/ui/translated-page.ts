/**
 * Keeps screens working in a page that the browser translates. Chrome wraps each text in its own `<font>`
 * elements, so React removes a node, or inserts one before a node, that is no longer where React put it. Without
 * this fix the whole screen disappears, along with what was typed there
 * (https://github.com/facebook/react/issues/11538).
 */
type Remove = (this: Node, child: Node) => Node;
type Insert = (this: Node, node: Node, before: Node | null) => Node;

if (!import.meta.env.SSR) {
  const { prototype } = Node;
  const remove = Reflect.get(prototype, 'removeChild') as Remove;
  const insert = Reflect.get(prototype, 'insertBefore') as Insert;

  Object.assign(prototype, {
    removeChild(this: Node, child: Node): Node {
      // A text that was moved is removed from its new place. A text that was replaced is already gone.
      const parent = child.parentNode;
      return parent ? remove.call(parent, child) : child;
    },
    insertBefore(this: Node, node: Node, before: Node | null): Node {
      // If a text was moved, the new node goes before the element that now contains it.
      let place = before;
      while (place && place.parentNode !== this) place = place.parentNode;
      return insert.call(this, node, place);
    },
  } satisfies { removeChild: Remove; insertBefore: Insert });
}
