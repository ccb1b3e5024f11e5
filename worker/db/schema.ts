/** Every table of the database, gathered for the migration generator. */
import * as publishing from '../publishing/schema.ts';
import { contentTables } from './content-tables.ts';

export const tables = { ...contentTables, ...publishing };
