/** The matching items of a list, and the visible page of them. */
import { useState } from 'react';
import { pageCount as countPages } from '#contract/paging.ts';
import type { ContentRecord } from '../content-calls.ts';

const itemsPerPage = 50;

export function useFoundItems(
  records: readonly ContentRecord[],
  textsOf: (record: ContentRecord) => readonly string[],
) {
  const [wanted, setWanted] = useState('');
  const [chosenPage, setPage] = useState(1);
  const words = wanted.trim().toLowerCase();
  const found = words
    ? records.filter((record) => textsOf(record).some((text) => text.toLowerCase().includes(words)))
    : records;
  const pageCount = countPages(found.length, itemsPerPage);
  const page = Math.min(chosenPage, pageCount);
  const offset = (page - 1) * itemsPerPage;
  return {
    wanted,
    search: (typed: string) => {
      setWanted(typed);
      setPage(1);
    },
    isSearched: words !== '',
    found,
    page,
    pageCount,
    setPage,
    itemsPerPage,
    /** The index in `found` of the first visible item. */
    offset,
    shown: found.slice(offset, offset + itemsPerPage),
  };
}
