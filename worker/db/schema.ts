/** Every table of the database, gathered for the migration generator. */
import * as accounts from '../accounts/schema.ts';
import * as inbox from '../inbox/schema.ts';
import * as mail from '../mail/schema.ts';
import * as orders from '../orders/schema.ts';
import * as payments from '../payments/schema.ts';
import * as publishing from '../publishing/schema.ts';
import { contentTables } from './content-tables.ts';

export const tables = {
  ...contentTables,
  ...accounts,
  ...inbox,
  ...mail,
  ...orders,
  ...payments,
  ...publishing,
};
