/** Lists the rows that could not be changed, with the reasons. It stays until the user closes it. */
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import type { NotDoneText } from './use-bulk-actions.ts';
import { stack } from '#site/ui/layout.ts';

/** The maximum number of names per reason. */
const namesShown = 12;

const displayNames = (names: readonly string[]) =>
  names.length <= namesShown
    ? names.join(', ')
    : `${names.slice(0, namesShown).join(', ')} and ${names.length - namesShown} more`;

export const NotDoneNotice = ({
  title,
  reasons,
  isPart,
  onClose,
}: NotDoneText & { readonly onClose: () => void }) => (
  <Alert
    tone={isPart ? 'warning' : 'danger'}
    title={title}
    action={
      <Button variant="secondary" size="small" onClick={onClose}>
        Close
      </Button>
    }
  >
    <ul className={stack(1)}>
      {reasons.map(([reason, names]) => (
        <li key={reason}>
          <strong>{displayNames(names)}</strong>: {reason}
        </li>
      ))}
    </ul>
  </Alert>
);
