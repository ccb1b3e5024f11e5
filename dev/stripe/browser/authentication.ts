/** The 3-D Secure challenge over the page: a frame of Stripe's with, inside it, the bank's. */
import { nextFrameName } from './elements.ts';
import { connectFrame } from './protocol.ts';

/** Shows the challenge and resolves when the payer has passed or failed it. */
export function authenticate(origin: string, challenge: string): Promise<void> {
  const focused = document.activeElement;
  const overlay = document.createElement('div');
  overlay.role = 'dialog';
  overlay.ariaModal = 'true';
  overlay.ariaLabel = 'Card authentication';
  Object.assign(overlay.style, {
    background: 'rgb(0 0 0 / 55%)',
    display: 'grid',
    inset: '0',
    placeItems: 'center',
    position: 'fixed',
    zIndex: '2147483647',
  });
  const frame = document.createElement('iframe');
  frame.name = nextFrameName();
  frame.title = 'Secure 3D Secure authentication frame';
  frame.src = `${origin}/frames/authentication`;
  Object.assign(frame.style, {
    background: '#fff',
    border: 'none',
    borderRadius: '8px',
    colorScheme: 'light',
    height: 'min(420px, 100%)',
    width: 'min(440px, 100%)',
  });
  overlay.appendChild(frame);
  return new Promise((resolve) => {
    connectFrame(
      frame,
      () => ({ type: 'challenge', challenge }),
      () => {
        overlay.remove();
        if (focused instanceof HTMLElement) focused.focus();
        resolve();
      },
    );
    document.body.appendChild(overlay);
  });
}
