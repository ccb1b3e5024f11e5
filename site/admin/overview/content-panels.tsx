/** What editors see on the overview: the newest releases, and the newest changes to the site. */
import { linkTo } from '#contract/screens.ts';
import { Card } from '#site/ui/card.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { Table } from '#site/ui/table.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { summaryText } from '../content/editor/section-texts.ts';
import { ReleaseCards } from '../content/releases/release-cards.tsx';

const releasesShown = 3;
const publicationsShown = 5;

export default function ContentPanels() {
  return (
    <>
      <NewestReleases />
      <NewestPublications />
    </>
  );
}

function NewestReleases() {
  const releases = useCall('GET /releases', { query: { page: 1, pageSize: releasesShown } });
  return (
    <Card title="Releases" aside={<TextLink href={linkTo('releases')}>All releases</TextLink>}>
      <QueryBoundary query={releases} lines={3}>
        {(newest) =>
          newest.length === 0 ? (
            <p className="muted">Your releases will be listed here.</p>
          ) : (
            <ReleaseCards releases={newest} />
          )
        }
      </QueryBoundary>
    </Card>
  );
}

function NewestPublications() {
  const publications = useCall('GET /publications');
  return (
    <Card title="Publications" aside={<TextLink href={linkTo('publications')}>All publications</TextLink>}>
      <QueryBoundary query={publications} lines={3}>
        {(all) => (
          <Table
            caption="Newest publications"
            rows={all.slice(0, publicationsShown).map((one) => ({ ...one, _id: String(one.revision) }))}
            columns={[
              {
                header: 'Change',
                wide: true,
                phone: 'lead',
                cell: ({ revision, summary }) => summaryText(summary) || `Revision ${revision}`,
              },
              { header: 'By', phone: 'named', cell: ({ by }) => by ?? 'Initial setup' },
              { header: 'Published', phone: 'named', cell: ({ at }) => <DateTime at={at} /> },
            ]}
            empty={<p>Each save of content will be listed here.</p>}
          />
        )}
      </QueryBoundary>
    </Card>
  );
}
