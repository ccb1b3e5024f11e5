/** A list as a CSV file. Who takes many people's data along confirms first that they are there. */
import { Download } from 'lucide-react';
import { Button } from '#site/ui/button.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { download } from '#site/app/call.ts';
import { useAction } from '#site/app/use-action.ts';

/** @param address of the call that answers the file */
export function ExportButton({ address }: { readonly address: string }) {
  const { act, isBusy } = useAction(useToast());
  return (
    <Button
      variant="secondary"
      icon={<Download size="1.125rem" aria-hidden="true" />}
      busy={isBusy}
      onClick={() => void act(() => download(address))}
    >
      Export CSV
    </Button>
  );
}
