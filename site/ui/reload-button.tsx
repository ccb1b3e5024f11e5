/** Reloads the page if a deployment has removed one of its files. */
import { Button } from '#site/ui/button.tsx';

/** The browser asks first if unsaved text would be lost (use-unsaved-guard.ts). */
export const reloadPage = () => location.reload();

export const ReloadButton = () => (
  <Button variant="secondary" size="small" onClick={reloadPage}>
    Reload
  </Button>
);
