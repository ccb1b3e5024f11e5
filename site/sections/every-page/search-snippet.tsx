/** Shows how a page may look in search results, as the preview of a search text. */
import type { SectionProps, Shows } from '../section-props.ts';
import css from './search-snippet.module.css';

export const shows: Shows = ['searchText'];

export default function SearchSnippets({ content }: SectionProps) {
  const texts = content.searchText ?? [];
  if (texts.length === 0) return null;
  return (
    <div className={`wrap ${css['snippets'] ?? ''}`}>
      {texts.map((text) => (
        <div key={text._id}>
          <p className="note">{text.page}</p>
          <p className={css['title']}>{text.pageTitle}</p>
          <p>{text.pageDescription}</p>
        </div>
      ))}
    </div>
  );
}
