/** Downloads a list as a CSV file. The file has many people's data, so the user confirms their identity first. */
import { Download } from 'lucide-react';
import { ActionButton } from '#site/app/action-button.tsx';
import { download } from '#site/app/call.ts';

interface ExportButtonProps {
  readonly address: string;
  /** Whether the list is known to be empty. The button stays, so that nothing moves while the user filters. */
  readonly isEmpty?: boolean;
}

export const ExportButton = ({ address, isEmpty = false }: ExportButtonProps) => (
  <ActionButton
    variant="secondary"
    icon={<Download size="1.125rem" />}
    action={() => download(address)}
    changesNothing
    aria-disabled={isEmpty}
    title={isEmpty ? 'There is nothing to export.' : undefined}
  >
    Export CSV
  </ActionButton>
);
