/** The pay page's island. */
import { findScreen } from '../../../../worker/contract/screens.ts';
import { PayScreen } from './pay-screen.tsx';

export default function Pay() {
  return <PayScreen id={findScreen(location.pathname)?.id ?? ''} />;
}
