/** Who did what of which safety depends, newest first, and a CSV of all. */
import { ShieldCheck } from 'lucide-react';
import { auditTexts } from '#contract/audit.ts';
import { counted } from '#contract/counted.ts';
import { pageSizes } from '#contract/paging.ts';
import { EmptyState } from '#components/empty-state.tsx';
import { addressWith, makeCall } from '#site/islands/shared/call.ts';
import { EmailText } from '#site/islands/shared/email-text.tsx';
import { Moment } from '#site/islands/shared/moment.tsx';
import { PagedTable } from '#site/islands/shared/paged-table.tsx';
import { bySequence, pageAddress, usePage } from '#site/islands/shared/use-page.ts';
import { ExportButton } from '../export-button.tsx';
import { Panel, ScreenFrame } from '../screen.tsx';

export default function AuditLog() {
  const list = usePage(
    pageSizes.auditLog,
    {},
    async (query, signal) => bySequence(await makeCall('GET /audit-log', { query, signal })),
    pageAddress,
  );
  return (
    <ScreenFrame
      title="Audit log"
      intro="Sign-ins, changed passwords and emails, roles, refunds, exports, deletions, settings and releases of the last 12 months. Nothing in this list is ever changed."
      actions={<ExportButton address={addressWith('GET /audit-log.csv', {})} />}
    >
      <Panel title={list.data ? counted(list.data.total, 'entry', 'entries') : 'Entries'}>
        <PagedTable
          caption="Audit log"
          list={list}
          columns={[
            { key: 'date', header: 'Date', phone: 'plain', cell: ({ at }) => <Moment at={at} /> },
            {
              key: 'what',
              header: 'What',
              phone: 'lead',
              cell: ({ action, details }) => details || auditTexts[action],
            },
            {
              key: 'who',
              header: 'Who',
              wide: true,
              phone: 'whole',
              cell: ({ email, accountId }) =>
                email ? <EmailText email={email} /> : accountId === '' ? 'Unknown' : 'A deleted account',
            },
            {
              key: 'network',
              header: 'Network',
              phone: 'named',
              cell: ({ network }) => network || 'Unknown',
            },
          ]}
          empty={
            <EmptyState title="Nothing has happened yet" icon={<ShieldCheck aria-hidden="true" />}>
              The next sign-in is listed here.
            </EmptyState>
          }
        />
      </Panel>
    </ScreenFrame>
  );
}
