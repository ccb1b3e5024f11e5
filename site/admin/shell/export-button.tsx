/** Downloads a list as a CSV file. The file has many people's data, so the user confirms their identity first. */
import { Download } from 'lucide-react';
import { ActionButton } from '#site/app/action-button.tsx';
import { download } from '#site/app/call.ts';

export const ExportButton = ({ address }: { readonly address: string }) => (
  <ActionButton
    variant="secondary"
    icon={<Download size="1.125rem" />}
    action={() => download(address)}
    changesNothing
  >
    Export CSV
  </ActionButton>
);
