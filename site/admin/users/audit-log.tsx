/** The audit log, newest first, with a CSV export. */
import { ShieldCheck } from 'lucide-react';
import { auditTexts } from '#contract/audit.ts';
import { pageSizes } from '#contract/paging.ts';
import { addressWith } from '#site/app/call.ts';
import { EmailText } from '#site/ui/email-text.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { bySequence, usePage } from '#site/app/use-page.ts';
import { ListPanel } from '../lists/list-panel.tsx';
import { ExportButton } from '../shell/export-button.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import css from '../lists/order-columns.module.css';

export default function AuditLog() {
  const list = bySequence(usePage('GET /audit-log', { pageSize: pageSizes.auditLog, inAddress: 'page' }));
  return (
    <ScreenFrame
      title="Audit log"
      intro="Logins, changed passwords and emails, roles, refunds, exports, deletions, settings and releases of the last 12 months. Entries never change."
      actions={<ExportButton address={addressWith('GET /audit-log.csv', {})} />}
    >
      <ListPanel
        title="Entries"
        noun="entry"
        nouns="entries"
        caption="Audit log"
        list={list}
        columns={[
          { header: 'Date', phone: 'plain', cell: ({ at }) => <DateTime at={at} /> },
          {
            header: 'What',
            phone: 'lead',
            cell: ({ action, details, subjectEmail }) => (
              <>
                {details || auditTexts[action]}
                {subjectEmail && (
                  <>
                    : <EmailText email={subjectEmail} />
                  </>
                )}
              </>
            ),
          },
          {
            header: 'Who',
            wide: true,
            phone: 'whole',
            cell: ({ name, email, accountId }) =>
              email ? (
                <>
                  {name} <EmailText email={email} />
                </>
              ) : accountId === '' ? (
                'Unknown'
              ) : (
                'A deleted account'
              ),
          },
          {
            header: 'Network',
            phone: 'named',
            cell: ({ network }) => <span className={css['whole']}>{network || 'Unknown'}</span>,
          },
        ]}
        icon={<ShieldCheck />}
        empty={['No entries yet', 'The next login will be listed here.']}
      />
    </ScreenFrame>
  );
}
