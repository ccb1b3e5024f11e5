/**
 * The demo site: a made-up firm that sells SEO to loan agencies, on top of the content of every new site. Figures,
 * people and quotes are examples, as the footer of every page says. `demo-content.yaml` contains the records of each
 * section, and `articles/` contains one Markdown file per article, named after its address. The seed checks them like
 * typed content.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { firstContent } from '#deploy/first-content.ts';
import type { Seed } from '#deploy/prepare-database.ts';
import { exampleMark } from '#contract/first-content.ts';
import { sectionNames } from '#contract/sections/index.ts';

const record = z.record(z.string(), z.string());
const content = z.partialRecord(z.enum(sectionNames), z.array(record));

/** Reads YAML whose values are texts, so 1.10 stays 1.10. */
const parseTexts = (yaml: string): unknown => parse(yaml, { schema: 'failsafe' });

const read = (...path: string[]) => readFileSync(join(import.meta.dirname, ...path), 'utf8');

const {
  brand: [brand] = [],
  searchText = [],
  ...records
} = content.parse(parseTexts(read('demo-content.yaml')));

const note = `> **${exampleMark}** {name}, the agencies in this article and their figures are made up for this demonstration.`;

/** Reads an article. Its other fields are in the YAML above its text. */
function readArticle(file: string) {
  const [, fields = '', text = ''] = /^---\n(.*?)---\n(.*)$/s.exec(read('articles', file)) ?? [];
  return {
    ...record.parse(parseTexts(fields)),
    slug: basename(file, '.md'),
    text: `${text.trim()}\n\n${note}`,
  };
}

/** The firm's name, which only the brand contains. */
export const demoName = brand?.['name'] ?? '';

export const demoContent: Seed['content'] = {
  ...firstContent,
  ...records,
  brand: [{ ...firstContent.brand[0], ...brand }],
  searchText: [firstContent.searchText[0], firstContent.searchText[1], ...searchText],
  article: readdirSync(join(import.meta.dirname, 'articles')).map(readArticle),
};
