/** The response for one page of a list. */
import type { Context } from 'hono';
import { totalCountHeader } from '#contract/paging.ts';
import type { Page } from '../db/paging.ts';
import type { AppEnv } from './app.ts';

/** Returns the rows of a page, and puts the total into a header. */
export function answerList<Row>(c: Context<AppEnv>, { total, rows }: Page<Row>): Row[] {
  c.header(totalCountHeader, String(total));
  return rows;
}
