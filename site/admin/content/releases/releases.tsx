/** The releases, newest first, and the form for a new one. */
import { useState } from 'react';
import { CalendarClock } from 'lucide-react';
import { counted } from '#contract/counted.ts';
import { pageSizes } from '#contract/paging.ts';
import type { ReleaseSummary } from '#contract/releases.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { Failure } from '#site/app/failure.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { textsIn, useForm } from '#site/app/use-form.ts';
import { usePage } from '#site/app/use-page.ts';
import { beginRelease } from './release-calls.ts';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { Panel, ScreenFrame } from '#site/admin/shell/screen.tsx';
import { cluster, stack } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './releases.module.css';

const ImportForm = lazyPart(() => import('../import/import-form.tsx'));

export default function Releases() {
  const list = usePage('GET /releases', { pageSize: pageSizes.releases, inAddress: 'page' });
  return (
    <ScreenFrame
      title="Releases"
      intro="Changes that will appear together, now or at a time that you choose. Nobody sees them before then. To add a change, press the button beside Save in its form."
    >
      <Begin />
      <ImportArticles />
      <Panel title="All releases">
        <QueryBoundary query={list}>
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyState title="No releases yet" icon={<CalendarClock aria-hidden="true" />}>
                Your releases will be listed here.
              </EmptyState>
            ) : (
              <ul className={stack(3)}>
                {rows.map((release) => (
                  <li key={release._id}>
                    <ReleaseCard release={release} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryBoundary>
        <Pagination list={list} label="Releases" />
      </Panel>
    </ScreenFrame>
  );
}

export function ReleaseCard({ release }: { readonly release: ReleaseSummary }) {
  const { _id, title, changeCount, createdAt, createdBy } = release;
  return (
    <Card
      title={title}
      headingLevel={3}
      href={linkTo('release', _id)}
      aside={<ReleaseState release={release} />}
    >
      <p className={typography['note']}>
        {counted(changeCount, 'change')}, created <DateTime at={createdAt} />
        {createdBy !== null && ` by ${createdBy}`}
        {release.publishAt !== null && (
          <>
            , {isHeldUp(release) ? 'due' : 'to be published'} <DateTime at={release.publishAt} />
          </>
        )}
        {release.publishedAt !== null && (
          <>
            , published <DateTime at={release.publishedAt} />
          </>
        )}
      </p>
    </Card>
  );
}

/** Whether its schedule has no effect, because the time has passed or a person must decide first. */
const isHeldUp = ({ failure, isBlocked }: ReleaseSummary): boolean => failure !== null || isBlocked;

/** The status of a release in one word. */
export function ReleaseState({ release }: { readonly release: ReleaseSummary }) {
  if (release.status === 'published') return <Badge tone="success">Published</Badge>;
  if (release.failure !== null) return <Badge tone="danger">Not published</Badge>;
  if (release.isBlocked) return <Badge tone="warning">Needs a decision</Badge>;
  return release.publishAt === null ? <Badge>Open</Badge> : <Badge tone="info">Scheduled</Badge>;
}

/** Imported articles become a release. The importer is loaded on demand. */
function ImportArticles() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title="Import articles">
      {isOpen ? (
        <ImportForm />
      ) : (
        <div>
          <Button variant="secondary" onClick={() => setIsOpen(true)}>
            Import Markdown or WordPress
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Begin() {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const begin = (form: HTMLFormElement) =>
    submit({
      send: async () => {
        const { _id } = await beginRelease(textsIn(form, ['title']).title);
        location.assign(linkTo('release', _id));
        // Stays busy until the next page opens, because another click would create a second release.
        return new Promise(() => undefined);
      },
    });
  return (
    <Panel title="New release">
      <Form ref={ref} errors={errors} className={cluster(3, css['begin'])} onSend={begin}>
        <Field label="Title" name="title" placeholder="Spring offer" maxLength={200} />
        <Button type="submit" busy={isBusy}>
          Create
        </Button>
      </Form>
      {failure && <Failure error={failure} />}
    </Panel>
  );
}
