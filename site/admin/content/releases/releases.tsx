/** The releases, newest first, and the form for a new one. */
import { useState } from 'react';
import { CalendarClock } from 'lucide-react';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { Failure } from '#site/app/failure.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { textsIn, useForm } from '#site/app/use-form.ts';
import { usePage } from '#site/app/use-page.ts';
import { importHash } from '../section-homes.ts';
import { beginRelease } from './release-calls.ts';
import { ReleaseCards } from './release-cards.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { ScreenFrame } from '#site/admin/shell/screen.tsx';

const ImportForm = lazyPart(() => import('../import/import-form.tsx'));

export default function Releases() {
  const list = usePage('GET /releases', { pageSize: pageSizes.releases, inAddress: 'page' });
  return (
    <ScreenFrame
      title="Releases"
      intro="Changes that will appear together, now or at a time that you choose. Nobody sees them before then. To add a change, open its form and press “Add to a release” beside Save."
    >
      <Begin />
      <ImportArticles />
      <Card title="All releases">
        <QueryBoundary query={list}>
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyState title="No releases yet" icon={<CalendarClock />}>
                Your releases will be listed here.
              </EmptyState>
            ) : (
              <ReleaseCards releases={rows} />
            )
          }
        </QueryBoundary>
        <Pagination list={list} label="Releases" />
      </Card>
    </ScreenFrame>
  );
}

/** Imported articles become a release. The importer is loaded on demand. */
function ImportArticles() {
  const [isOpen, setIsOpen] = useState(location.hash === importHash);
  return (
    <Card title="Import articles">
      {isOpen ? (
        <ImportForm />
      ) : (
        <div>
          <Button variant="secondary" onClick={() => setIsOpen(true)}>
            Import Markdown or WordPress
          </Button>
        </div>
      )}
    </Card>
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
    <Card title="New release">
      <Form ref={ref} errors={errors} onSend={begin}>
        <Field
          label="Title"
          name="title"
          placeholder="Spring offer"
          maxLength={200}
          trailing={
            <Button type="submit" busy={isBusy}>
              Create
            </Button>
          }
        />
      </Form>
      <Failure error={failure} />
    </Card>
  );
}
