/** Answers a page of a list that grows. */
import type { Context } from 'hono';
import { totalCountHeader } from '#contract/paging.ts';
import type { Page } from '../db/paging.ts';
import type { AppEnv } from './app.ts';

/** The rows of a page; how many there are in all goes into a header. */
export function answerPage<Row>(c: Context<AppEnv>, { total, rows }: Page<Row>): Row[] {
  c.header(totalCountHeader, String(total));
  return rows;
}
