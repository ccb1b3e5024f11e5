/** The pages of the site with their sections, and the items of the section that is open: plain links in lists. */
import { useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { linkToHome, linkToRecord } from '#contract/all-screens.ts';
import { isShown, sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { recordTitle } from '../editor/section-texts.ts';
import { isUnsaved, useTypedForms } from '../editor/typed-forms.ts';
import { sectionTitle } from '../section-homes.ts';
import type { SiteContent } from './content-shown.ts';
import { branches, type Branch, type Look } from './site-pages.tsx';
import type { SectionAddress } from './use-section-address.ts';
import css from './tree.module.css';

/** Of a longer list the tree names the first items; its screen shows, finds and orders all of them. */
const mostItems = 40;

export interface TreeProps {
  readonly address: SectionAddress;
  readonly content: SiteContent;
  readonly look: Look | undefined;
  readonly onShow: (page: Look) => void;
}

const isOn = (look: Look | undefined, { page, sections }: Branch, address: SectionAddress) =>
  page ? page === look : address.sections.some((name) => sections.includes(name));

export function Tree({ address, content, look, onShow }: TreeProps) {
  /** The branches that were unfolded or folded by hand; of the others, the one that is looked at is unfolded. */
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({});
  return (
    <nav aria-label="Pages and sections" id="site-tree" className={css['tree']}>
      <ul>
        {branches.map((branch) => {
          const { title, page, sections } = branch;
          const isCurrent = isOn(look, branch, address);
          const isUnfolded = choices[title] ?? isCurrent;
          return (
            <li key={title}>
              <button
                type="button"
                className={css['branch']}
                aria-expanded={isUnfolded}
                data-current={isCurrent || undefined}
                onClick={() => {
                  setChoices({ ...choices, [title]: page && !isCurrent ? true : !isUnfolded });
                  if (page) onShow(page);
                }}
              >
                <ChevronRight size={16} aria-hidden="true" />
                {title}
              </button>
              {isUnfolded && (
                <ul>
                  {sections.map((name) => (
                    <SectionEntry key={name} name={name} address={address} content={content} />
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The section itself leads to its one record, or, as a list, to its items and the form for a new one. */
function SectionEntry({
  name,
  address,
  content,
}: Pick<TreeProps, 'address' | 'content'> & { readonly name: SectionName }) {
  const section = sectionNamed(name);
  const records = (isShown(name) ? content[name] : undefined) ?? [];
  const [record] = records;
  const isList = section.kind !== 'singleton';
  const isOpen = address.sections.includes(name);
  const href = isList || !record ? linkToHome(name) : linkToRecord(name, record._id);
  return (
    <li>
      <Entry href={href} address={address} isOpen={isOpen} forms={[name]}>
        {sectionTitle(section)}
        {isList && records.length > 0 && (
          <span className={css['count']}>
            {records.length}
            <span className="visually-hidden"> items</span>
          </span>
        )}
      </Entry>
      {isList && isOpen && records.length > 0 && (
        <ul>
          {records.slice(0, mostItems).map((item) => (
            <li key={item._id}>
              <Entry href={linkToRecord(name, item._id)} address={address} forms={[name, item._id]}>
                {recordTitle(name, item)}
              </Entry>
            </li>
          ))}
          {records.length > mostItems && (
            <li>
              <a className={css['entry']} href={linkToHome(name)}>
                All {records.length}
              </a>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

function Entry({
  href,
  address,
  isOpen = false,
  forms: [section, recordId],
  children,
}: {
  readonly href: string;
  readonly address: SectionAddress;
  readonly isOpen?: boolean;
  /** Whose unsaved text is marked: of a record, or of any form of a section. */
  readonly forms: readonly [SectionName, string?];
  readonly children: React.ReactNode;
}) {
  const forms = [...useTypedForms().values()].filter((form) => form.section === section && isUnsaved(form));
  const hasUnsaved = forms.some((form) => recordId === undefined || form.recordId === recordId);
  return (
    <a
      className={css['entry']}
      href={href}
      aria-current={address.path === href ? 'page' : isOpen ? 'true' : undefined}
    >
      <span className={css['name']}>{children}</span>
      {hasUnsaved && (
        <span className={css['unsaved']} title="Something typed is not saved">
          <span className="visually-hidden">, has unsaved text</span>
        </span>
      )}
    </a>
  );
}
