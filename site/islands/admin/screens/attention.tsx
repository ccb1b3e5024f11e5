/** What no automatic step could finish: payments to look at, mails that could not be sent. */
import { CircleCheck } from 'lucide-react';
import { maxPageSize } from '#contract/paging.ts';
import type { AttentionItem } from '#contract/payments.ts';
import { Badge } from '#components/badge.tsx';
import { Card } from '#components/card.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { Age } from '#site/islands/shared/moment.tsx';
import { AttentionActions, kindTexts, longestFirst } from '../attention/attention-actions.tsx';
import { ScreenFrame } from '../screen.tsx';
import { useWaitingChange } from '../waiting.ts';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { readAttention } from './read-attention.ts';
import css from './attention.module.css';

export default function Attention() {
  const loaded = useLoaded('attention', readAttention);
  useWaitingChange(loaded.reload);
  return (
    <ScreenFrame
      title="Needs attention"
      intro="Payments in dispute, payments that arrived late or could not be settled, refunds that failed, emails that could not be sent, answers that customers owe, and steps that are overdue."
    >
      <WhenLoaded loaded={loaded}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="Nothing needs you" icon={<CircleCheck aria-hidden="true" />}>
              Payments, emails and orders that need a person will be listed here.
            </EmptyState>
          ) : (
            <>
              <Cut items={items} />
              <ul className={css['items']}>
                {items.map((item) => (
                  <li key={item._id}>
                    <AttentionCard item={item} onChange={loaded.reload} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </WhenLoaded>
    </ScreenFrame>
  );
}

/** Says of which kinds there may be more than the list has room for. */
function Cut({ items }: { readonly items: readonly AttentionItem[] }) {
  const full = [...new Set(items.map(({ kind }) => kind))].filter(
    (each) => items.filter(({ kind }) => kind === each).length >= maxPageSize,
  );
  return full.map((kind) => (
    <p key={kind} role="note">
      <strong>{kindTexts[kind]}</strong>: this list shows {maxPageSize}
      {longestFirst.includes(kind) ? ' that have waited longest' : ', the newest'}. There may be more, which
      follow as these are settled.
    </p>
  ));
}

function AttentionCard({ item, onChange }: { readonly item: AttentionItem; readonly onChange: () => void }) {
  return (
    <Card title={kindTexts[item.kind]} aside={<Badge tone="warning">Open</Badge>}>
      <p>{item.text}</p>
      <p className={css['at']}>
        <Age at={item.at} />
      </p>
      <AttentionActions item={item} onChange={onChange} />
    </Card>
  );
}
