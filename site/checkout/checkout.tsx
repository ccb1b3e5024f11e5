/** Ordering and cancelling in one island. The URL selects the screen from the route table. */
import { lazy } from 'react';
import { ShellScreen } from '../app/shell-screen.tsx';
import { screenHere } from '../app/shell-screens.ts';
import { useKeptFocus } from '../ui/use-kept-focus.ts';

const screen = screenHere('checkout', {
  orderForm: lazy(() => import('./order/order-screen.tsx')),
  cancelOrder: lazy(() => import('./cancel/cancel-screen.tsx')),
});

export default function Checkout() {
  useKeptFocus();
  return <ShellScreen screen={screen} />;
}
