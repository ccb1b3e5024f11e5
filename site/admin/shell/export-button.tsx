/**
 * Downloads a list as a CSV file. The user confirms their identity first, because the file has many people's
 * data.
 */
import { Download } from 'lucide-react';
import { ActionButton } from '#site/app/action-button.tsx';
import { download } from '#site/app/call.ts';

/** @param address of the call that returns the file */
export const ExportButton = ({ address }: { readonly address: string }) => (
  <ActionButton
    variant="secondary"
    icon={<Download size="1.125rem" aria-hidden="true" />}
    action={() => download(address)}
    changesNothing
  >
    Export CSV
  </ActionButton>
);
