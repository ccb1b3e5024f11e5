/** The pages of the site with their sections, and the items of the open section, as links in lists. */
import { useState, type ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import { linkToHome } from '#contract/all-screens.ts';
import { isShown, sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { recordTitle } from '../content/editor/section-texts.ts';
import { useUnsaved } from '../content/editor/form-store.ts';
import type { FormKey } from '../content/editor/server-drafts.ts';
import { sectionTitle } from '../content/section-homes.ts';
import type { SiteContent } from './content-shown.ts';
import { PartPicture } from './part-picture.tsx';
import { branches, type Branch, type PreviewTarget } from './site-pages.tsx';
import type { SectionAddress } from './use-editor.ts';
import { classNames } from '#site/ui/class-names.ts';
import css from './tree.module.css';

/** The maximum number of items in the tree. The section's own screen shows all. */
const maxItems = 40;

interface TreeProps {
  readonly address: SectionAddress;
  readonly content: SiteContent;
  /** Returns the URL of a record's form. */
  readonly hrefOf: (section: SectionName, id: string) => string;
  readonly preview: PreviewTarget | undefined;
  readonly onShow: (page: PreviewTarget) => void;
}

const isOn = (preview: PreviewTarget | undefined, { page, sections }: Branch, address: SectionAddress) =>
  page ? page === preview : address.sections.some((name) => sections.includes(name));

/** Unsaved values of a removed record are not shown anywhere. */
const isUnsavedIn = (name: SectionName, content: SiteContent, unsaved: readonly FormKey[]): boolean =>
  unsaved.some(
    ({ section, recordId }) =>
      section === name &&
      (recordId === undefined || !isShown(name) || content[name]?.some(({ _id }) => _id === recordId)),
  );

export function Tree({ preview, onShow, ...shown }: TreeProps) {
  const unsaved = useUnsaved();
  const { address, content } = shown;
  /** The branches that the user has expanded or collapsed. Of all other branches, only the current one is expanded. */
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({});
  return (
    <nav aria-label="Pages and sections" id="site-tree" className={css['tree']}>
      <ul>
        {branches.map((branch) => {
          const { title, page, sections, isOnPages } = branch;
          const isCurrent = isOn(preview, branch, address);
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
                <ChevronRight size="1rem" aria-hidden="true" />
                <span className={classNames('one-line', css['name'])}>{title}</span>
                {!isUnfolded && sections.some((name) => isUnsavedIn(name, content, unsaved)) && <Unsaved />}
              </button>
              {isUnfolded && (
                <ul>
                  {sections.map((name) => (
                    <SectionEntry
                      key={name}
                      {...shown}
                      name={name}
                      unsaved={unsaved}
                      picture={isOnPages && <PartPicture of={page ? `${title} ${name}` : name} />}
                    />
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

/** The section links to its single record or, for a list, to its items and the form for a new one. */
function SectionEntry({
  name,
  address,
  content,
  hrefOf,
  unsaved,
  picture,
}: Omit<TreeProps, 'preview' | 'onShow'> & {
  readonly name: SectionName;
  readonly unsaved: readonly FormKey[];
  readonly picture: ReactNode;
}) {
  const section = sectionNamed(name);
  const records = (isShown(name) ? content[name] : undefined) ?? [];
  const [record] = records;
  const isList = section.kind === 'list' || records.length > 1;
  const isOpen = address.sections.includes(name);
  return (
    <li>
      <Entry
        href={isList || !record ? linkToHome(name) : hrefOf(name, record._id)}
        address={address}
        isOpen={isOpen}
        hasUnsaved={isUnsavedIn(name, content, unsaved)}
        picture={picture}
      >
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
          {records.slice(0, maxItems).map((item) => (
            <li key={item._id}>
              <Entry
                href={hrefOf(name, item._id)}
                address={address}
                hasUnsaved={unsaved.some(({ recordId }) => recordId === item._id)}
              >
                {recordTitle(name, item)}
              </Entry>
            </li>
          ))}
          {records.length > maxItems && (
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
  hasUnsaved,
  picture,
  children,
}: {
  readonly href: string;
  readonly address: SectionAddress;
  readonly isOpen?: boolean;
  readonly hasUnsaved: boolean;
  readonly picture?: ReactNode;
  readonly children: ReactNode;
}) {
  const [path] = href.split('?');
  return (
    <a
      className={css['entry']}
      href={href}
      aria-current={address.path === path ? 'page' : isOpen ? 'true' : undefined}
    >
      {picture}
      <span className={classNames('one-line', css['name'])}>{children}</span>
      {hasUnsaved && <Unsaved />}
    </a>
  );
}

const Unsaved = () => (
  <span className={css['unsaved']} title="Unsaved changes">
    <span className="visually-hidden">, has a draft</span>
  </span>
);
