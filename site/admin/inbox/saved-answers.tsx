/**
 * Inserts a saved answer into the reply at the cursor. Administrators can open the dialog that edits the list.
 */
import { useState, type RefObject } from 'react';
import type { SavedAnswer } from '#contract/inbox.calls.ts';
import { fillSavedAnswer } from '#contract/inbox.ts';
import { Button } from '#site/ui/button.tsx';
import { SelectField } from '#site/ui/field.tsx';
import { useCall } from '#site/app/query.ts';
import { offers } from '../shell/role.ts';
import { SavedAnswersDialog } from './saved-answers-dialog.tsx';
import { stack } from '#site/ui/layout.ts';
import css from './message.module.css';

/** Inserts a text at the cursor, and notifies React. */
function insertAtCursor(area: HTMLTextAreaElement, text: string): void {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
  area.focus();
}

interface SavedAnswersProps {
  /** The customer's name. */
  readonly name: string;
  readonly replyForm: RefObject<HTMLFormElement | null>;
}

export function SavedAnswers({ name, replyForm }: SavedAnswersProps) {
  const { data: answers = [] } = useCall('GET /saved-answers');
  const [chosen, setChosen] = useState('');
  const [isManaging, setIsManaging] = useState(false);
  const answer = answers.find(({ _id }) => _id === chosen);

  function insert({ text }: SavedAnswer) {
    const area = replyForm.current?.querySelector('textarea');
    if (area) insertAtCursor(area, fillSavedAnswer(text, name));
  }

  if (answers.length === 0 && !offers('administrator')) return null;
  return (
    <div className={stack(3, css['reply'])}>
      {answers.length > 0 && (
        <div className={css['insert']}>
          <SelectField
            name="savedAnswer"
            label="Saved answer"
            value={answer?._id ?? ''}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="">Choose one</option>
            {answers.map(({ _id, title }) => (
              <option key={_id} value={_id}>
                {title}
              </option>
            ))}
          </SelectField>
          <Button
            variant="secondary"
            aria-disabled={!answer || undefined}
            onClick={() => answer && insert(answer)}
          >
            Insert
          </Button>
        </div>
      )}
      {offers('administrator') && (
        <div>
          <Button variant="quiet" size="small" onClick={() => setIsManaging(true)}>
            Manage saved answers
          </Button>
          <SavedAnswersDialog answers={answers} open={isManaging} onClose={() => setIsManaging(false)} />
        </div>
      )}
    </div>
  );
}
