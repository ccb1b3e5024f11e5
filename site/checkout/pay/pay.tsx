/** The island of the pay page. */
import { ScreenBoundary } from '#site/app/screen-boundary.tsx';
import { screenHere } from '#site/app/shell-screens.ts';
import { useKeptFocus } from '#site/ui/use-kept-focus.ts';
import { PayScreen } from './pay-screen.tsx';

const screen = screenHere('pay', { pay: PayScreen });

export default function Pay() {
  useKeptFocus();
  return (
    screen && (
      <ScreenBoundary>
        <screen.Shown id={screen.id} />
      </ScreenBoundary>
    )
  );
}
