/** Keeps an element that disappears by itself while somebody points at it or has the focus in it. */
import { useState } from 'react';

/** Whether the element that gets `watch` as its props is pointed at or contains the focus. */
export function useAttended() {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  return {
    isAttended: isPointedAt || hasFocus,
    watch: {
      onPointerEnter: () => setIsPointedAt(true),
      onPointerLeave: () => setIsPointedAt(false),
      onFocus: () => setHasFocus(true),
      onBlur: () => setHasFocus(false),
    },
  };
}
