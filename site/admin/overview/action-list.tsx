/** The items that need attention, oldest first, with their actions. */
import { linkTo } from '#contract/screens.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { useCall } from '#site/app/query.ts';
import { AttentionActions, kindTexts } from '../attention/attention-actions.tsx';
import { Panel } from '../shell/screen.tsx';
import { stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import typography from '#site/ui/typography.module.css';
import css from './overview.module.css';

/** The number of items on the overview; the attention screen shows all. */
const maxShown = 3;

export function ActionList() {
  const first = useCall('GET /needs-attention', { query: { page: 1, pageSize: maxShown } });
  return (
    <Panel title="Needs attention" aside={<TextLink href={linkTo('needsAttention')}>See all items</TextLink>}>
      <QueryBoundary query={first} lines={3}>
        {(items) =>
          items.length === 0 ? (
            <p className={classNames(typography['muted'], css['nothing'])}>Nothing needs attention.</p>
          ) : (
            <ul className={stack(4)}>
              {items.map((item) => (
                <li key={item._id} className={stack(1, css['line'])}>
                  <p>
                    <strong>{kindTexts[item.kind]}</strong>,{' '}
                    <RelativeTime at={item.at} className={typography['muted']} />
                  </p>
                  <p className={css['text']}>{item.text}</p>
                  <AttentionActions item={item} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}
