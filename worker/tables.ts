/** Every table of the database, for the migration generator. */
import * as accounts from './accounts/schema.ts';
import * as audit from './audit/schema.ts';
import * as content from './content/schema.ts';
import * as conversations from './fulfillment/conversation-schema.ts';
import * as editing from './editing/schema.ts';
import * as notes from './notes/schema.ts';
import * as inbox from './inbox/schema.ts';
import * as limits from './limits/schema.ts';
import * as mail from './mail/schema.ts';
import { alerts, jobRuns } from './operations/schema.ts';
import * as orders from './orders/schema.ts';
import * as payments from './payments/schema.ts';
import * as work from './fulfillment/plan-schema.ts';
import * as publishing from './publishing/schema.ts';
import { contentTables } from './db/content-tables.ts';
import { assertions } from './db/schema.ts';

export const tables = {
  assertions,
  ...contentTables,
  ...content,
  ...editing,
  ...accounts,
  ...audit,
  ...inbox,
  ...limits,
  ...mail,
  alerts,
  jobRuns,
  ...orders,
  ...work,
  ...conversations,
  ...notes,
  ...payments,
  ...publishing,
};
