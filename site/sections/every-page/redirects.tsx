/** Describes the redirects in words, as the preview of a section that is on no page. */
import type { SectionProps, Shows } from '../section-props.ts';
import css from './search-snippet.module.css';

export const shows: Shows = ['redirect'];

export default function Redirects({ content }: SectionProps) {
  const redirects = content.redirect ?? [];
  if (redirects.length === 0) return null;
  return (
    <dl className={`wrap ${css['snippets'] ?? ''}`}>
      {redirects.map(({ _id, from, to }) => (
        <div key={_id}>
          <dt>
            Visitors to <strong>{from}</strong>
          </dt>
          <dd>
            go to <strong>{to}</strong>
          </dd>
        </div>
      ))}
    </dl>
  );
}
