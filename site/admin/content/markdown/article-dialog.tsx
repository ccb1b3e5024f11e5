/** The dialog that finds an article by title and links to it. Loaded when it first opens. */
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { findScreen } from '#contract/all-screens.ts';
import { articlePath } from '#contract/articles.ts';
import { Button } from '#site/ui/button.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { SearchField } from '#site/ui/search-field.tsx';
import { stack } from '#site/ui/layout.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { callOf, type Values } from '../content-calls.ts';
import css from './markdown-field.module.css';

interface ArticleDialogProps {
  readonly onChoose: (path: string, title: string) => void;
  readonly onClose: () => void;
}

const maxShown = 20;

export default function ArticleDialog({ onChoose, onClose }: ArticleDialogProps) {
  const query = useCall(callOf('article', 'list'));
  const [wanted, setWanted] = useState('');
  /** An article does not link to itself. */
  const ownId = findScreen(location.pathname)?.id;
  const words = wanted.toLowerCase().split(/\s+/);
  const found = (query.data ?? []).filter(
    ({ _id, title = '' }) => _id !== ownId && words.every((word) => title.toLowerCase().includes(word)),
  );
  const choose = ({ title = '', kind = '', slug = '' }: Values) =>
    onChoose(articlePath({ kind, slug }), title);
  return createPortal(
    <Dialog open onClose={onClose} title="Link to an article" decline="Close">
      <SearchField
        label="Find an article by its title"
        value={wanted}
        onChange={setWanted}
        onEnter={() => {
          if (wanted.trim() !== '' && found[0]) choose(found[0]);
        }}
      />
      <QueryBoundary query={query}>
        {() =>
          found.length === 0 ? (
            <p>No article has these words in its title.</p>
          ) : (
            <ul className={stack(1, css['articles'])}>
              {found.slice(0, maxShown).map((article) => (
                <li key={article._id}>
                  <Button variant="quiet" onClick={() => choose(article)}>
                    {article['title']}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {found.length > maxShown && <p>These are the newest {maxShown}. Type more words to find others.</p>}
    </Dialog>,
    document.body,
  );
}
