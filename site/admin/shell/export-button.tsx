/** Downloads a list as a CSV file, which has many people's data, so the user first confirms their identity. */
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
