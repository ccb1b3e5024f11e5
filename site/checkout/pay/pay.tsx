/** The island of the pay page. */
import { ScreenBoundary } from '#site/app/screen-boundary.tsx';
import { screenHere, type ScreenComponents } from '#site/app/shell-screens.ts';
import { useKeptFocus } from '#site/ui/use-kept-focus.ts';
import { PayScreen } from './pay-screen.tsx';

/** Every screen of the pay page. */
const components: ScreenComponents<'pay'> = { pay: PayScreen };

const found = screenHere('pay');
const Shown = found && components[found.screen.name];

export default function Pay() {
  useKeptFocus();
  return (
    Shown && (
      <ScreenBoundary>
        <Shown id={found.id} />
      </ScreenBoundary>
    )
  );
}
