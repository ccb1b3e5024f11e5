/** Reloads the page if one of its files is gone since the site was updated. */
import { Button } from '#site/ui/button.tsx';

/** The browser asks first if unsaved text would be lost (use-unsaved-guard.ts). */
export const reloadPage = () => location.reload();

export const ReloadButton = () => (
  <Button variant="secondary" size="small" onClick={reloadPage}>
    Reload
  </Button>
);
