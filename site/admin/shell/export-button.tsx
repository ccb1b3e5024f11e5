/**
 * Downloads a list as a CSV file. The user confirms their identity first, because the file has many people's
 * data.
 */
import { Download } from 'lucide-react';
import { Button } from '#site/ui/button.tsx';
import { download } from '#site/app/call.ts';
import { useMutation } from '#site/app/use-mutation.ts';

/** @param address of the call that returns the file */
export function ExportButton({ address }: { readonly address: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(address),
    toastsError: true,
    changesNothing: true,
  });
  return (
    <Button
      variant="secondary"
      icon={<Download size="1.125rem" aria-hidden="true" />}
      busy={isPending}
      onClick={() => mutate()}
    >
      Export CSV
    </Button>
  );
}
