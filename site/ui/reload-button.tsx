/** Reloads the page, where a file of it is gone since the site was updated. */
import { Button } from '#site/ui/button.tsx';

/** The browser asks first where something that was typed would be lost (use-unsaved-guard.ts). */
export const reloadPage = () => location.reload();

export const ReloadButton = () => (
  <Button variant="secondary" size="small" onClick={reloadPage}>
    Reload
  </Button>
);
