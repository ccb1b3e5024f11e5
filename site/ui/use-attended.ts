/** Keeps an element from disappearing automatically while it is hovered or contains the focus. */
import { useState } from 'react';

/** Whether an element is hovered or contains the focus. Pass `watch` to it as props. */
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
