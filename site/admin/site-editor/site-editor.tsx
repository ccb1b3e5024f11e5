/**
 * The site editor: pages and sections as a tree, the page in the middle, and the form of the section in the URL. A
 * section selected in the tree or in the page opens in place. Text typed into another section is kept.
 */
import { lazy, Suspense, useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PanelLeft } from 'lucide-react';
import { linkToHome, linkToRecord } from '#contract/all-screens.ts';
import { isShown, type SectionName } from '#contract/sections/index.ts';
import { classNames } from '#site/ui/class-names.ts';
import { Skeleton } from '#site/ui/loading.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { QueryFailure } from '#site/app/query-boundary.tsx';
import { callQuery, useCall } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { useRemembered } from '#site/app/use-remembered.ts';
import { useLoadServerDrafts } from '../content/editor/form-store.ts';
import { offered, openReleasesQuery } from '../content/releases/release-calls.ts';
import type { SiteContent } from './content-shown.ts';
import { ShownPage } from './shown-page.tsx';
import type { PreviewTarget } from './site-pages.tsx';
import { Viewport } from './viewport.tsx';
import { Tree } from './tree.tsx';
import { useEditor, views, type View } from './use-editor.ts';
import { cluster } from '#site/ui/layout.ts';
import iconButton from '#site/ui/icon-button.module.css';
import toggle from '#site/ui/toggle.module.css';
import css from './site-editor.module.css';

const screens = {
  sections: lazy(() => import('../content/sections.tsx')),
  editRecord: lazy(() => import('../content/edit-record.tsx')),
};

const nothing: SiteContent = {};
const viewNames = Object.keys(views) as View[];

/**
 * The open release that the page shows. When it is published or removed, the page shows the live content again.
 */
function useShownRelease(first: string) {
  const [chosen, setRelease] = useState(first);
  const { data: releases = [], isSuccess, refetch } = useQuery(openReleasesQuery());
  const isListed = releases.length === offered || releases.some(({ _id }) => _id === chosen);
  const isClosed = chosen !== '' && isSuccess && !isListed;
  const notifyClosed = useEffectEvent(() => {
    showToast('That release was published or removed. The page shows what is live now.', 'danger');
  });
  useEffect(() => {
    if (isClosed) notifyClosed();
  }, [isClosed]);
  const readReleases = () => void refetch();
  // Others create, publish and remove releases at the same time.
  useRefetchOnFocus(readReleases);
  return { release: isClosed ? '' : chosen, setRelease, releases, readReleases };
}

/**
 * The live content, and the content of the page: the same, or a release's.
 * @param release empty for none
 * @param onMissing called if the release no longer exists
 */
function useContent(release: string, onMissing: () => void) {
  const live = useCall('GET /content');
  const released = useQuery({
    ...callQuery('GET /content', { query: { release } }),
    enabled: release !== '',
    placeholderData: keepPreviousData,
  });
  const notifyMissing = useEffectEvent(onMissing);
  useEffect(() => {
    if (released.error?.status === 404) notifyMissing();
  }, [released.error]);
  return { live, released: release === '' ? undefined : released };
}

/** Whether the shown state of a record is the live one, not the one in a release. */
function isAsLive(live: SiteContent, shown: SiteContent, section: SectionName, id: string): boolean {
  if (!isShown(section)) return true;
  const textOf = (content: SiteContent) => JSON.stringify(content[section]?.find(({ _id }) => _id === id));
  return live === shown || textOf(live) === textOf(shown);
}

/** Escape moves the focus from an area back to where the user came from. */
function useWayBack(area: RefObject<HTMLElement | null>, leave: () => void): void {
  const leaveByKey = useEffectEvent(({ key, target, defaultPrevented }: KeyboardEvent) => {
    const element = target as Element;
    if (key === 'Escape' && !defaultPrevented && area.current?.contains(element))
      if (!element.closest('dialog, [type="search"]')) leave();
  });
  useEffect(() => {
    addEventListener('keydown', leaveByKey);
    return () => removeEventListener('keydown', leaveByKey);
  }, []);
}

export default function SiteEditor() {
  const editor = useEditor();
  const { panel, view, setView, address, preview, setPreview } = editor;
  const shownRelease = useShownRelease(address.release);
  const { release } = shownRelease;
  const { live, released } = useContent(release, shownRelease.readReleases);
  const [tree, setTree] = useRemembered('editor-tree', ['shown', 'hidden'], 'shown');
  const Screen = screens[address.name];
  const content: SiteContent = released?.data ?? live.data ?? nothing;
  const isIn = (records: SiteContent, section: SectionName, id: string) =>
    isShown(section) && records[section]?.some(({ _id }) => _id === id);
  /** A record is edited where its shown version comes from: live or in a release. */
  const hrefOf = (section: SectionName, id: string) =>
    linkToRecord(section, id, isAsLive(live.data ?? nothing, content, section, id) ? '' : release);
  useWayBack(panel, editor.leaveForm);
  useLoadServerDrafts();

  return (
    <div className={css['editor']} data-view={view} data-tree={tree} data-page={preview !== undefined}>
      <a className="skip-link" href="#form" onClick={() => setView('form')}>
        Skip to the form
      </a>
      <div className={css['top']}>
        <Views view={view} hasPage={preview !== undefined} onView={setView} />
        <QueryFailure query={live} />
        {released && <QueryFailure query={released} />}
      </div>
      <div className={css['tree']}>
        <Tree
          address={address}
          content={content}
          hrefOf={hrefOf}
          preview={preview}
          onShow={(page) => {
            setPreview(page);
            if (view === 'tree' && matchMedia('(max-width: 47.999rem)').matches) setView('page');
          }}
        />
      </div>
      {preview && (
        <div className={css['stage']}>
          <Viewport
            start={
              <StageStart
                preview={preview}
                {...shownRelease}
                isTreeShown={tree === 'shown'}
                onTree={() => setTree(tree === 'shown' ? 'hidden' : 'shown')}
              />
            }
          >
            {live.data && (
              <ShownPage
                preview={preview}
                address={address}
                view={view}
                live={live.data}
                released={released?.data}
                onOpen={({ section, id, field }) => {
                  const isThere = id !== undefined && isIn(content, section, id);
                  editor.openForm(isThere ? hrefOf(section, id) : linkToHome(section), field);
                }}
              />
            )}
          </Viewport>
        </div>
      )}
      <section
        ref={panel}
        id="form"
        tabIndex={-1}
        aria-label="Form"
        className={classNames('focus-target', css['panel'])}
        data-scrolls
      >
        <Suspense fallback={<Skeleton lines={8} />}>
          <Screen key={`${address.path} ${address.release}`} {...address} />
        </Suspense>
      </section>
    </div>
  );
}

/** The part of the editor that a phone shows. */
function Views({
  view,
  hasPage,
  onView,
}: {
  readonly view: View;
  readonly hasPage: boolean;
  readonly onView: (view: View) => void;
}) {
  return (
    <div role="group" aria-label="Parts of the editor" className={cluster(1, css['views'])}>
      {viewNames
        .filter((name) => hasPage || name !== 'page')
        .map((name) => (
          <button
            key={name}
            type="button"
            className={classNames(toggle['toggle'], css['view'])}
            data-name={name}
            aria-pressed={name === view}
            onClick={() => onView(name === 'tree' && view === 'tree' ? 'form' : name)}
          >
            {views[name]}
          </button>
        ))}
    </div>
  );
}

/** What the page shows, and the select field for a release. */
function StageStart({
  preview,
  release,
  setRelease,
  releases,
  readReleases,
  isTreeShown,
  onTree,
}: ReturnType<typeof useShownRelease> & {
  readonly preview: PreviewTarget;
  readonly isTreeShown: boolean;
  readonly onTree: () => void;
}) {
  return (
    <>
      <button
        type="button"
        className={classNames(iconButton['icon'], toggle['toggle'], css['fold'])}
        aria-expanded={isTreeShown}
        aria-controls="site-tree"
        title={isTreeShown ? 'Hide the sections' : 'Show the sections'}
        onClick={onTree}
      >
        <PanelLeft size="1.125rem" aria-hidden="true" />
        <span className="visually-hidden">Pages and sections</span>
      </button>
      <p className={classNames('one-line', css['preview'])} aria-live="polite">
        {preview.title}
      </p>
      {releases.length > 0 && (
        <select
          className={css['release']}
          aria-label="What the page shows"
          value={release}
          onFocus={readReleases}
          onChange={({ target }) => setRelease(target.value)}
        >
          <option value="">What is live</option>
          {releases.map(({ _id, title }) => (
            <option key={_id} value={_id}>
              With release: {title}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
