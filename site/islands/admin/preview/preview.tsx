/**
 * The inside of the editor's preview: a page of its own width and media queries that shows a section from the component
 * the public page uses, with what is typed in place of the record being edited. It only shows: links and forms rest.
 */
import { useDeferredValue, useEffect, useEffectEvent, useRef, useState, type SyntheticEvent } from 'react';
import {
  isShown,
  sectionNamed,
  sectionNames,
  type PublicSectionName,
  type SectionName,
} from '#contract/sections/index.ts';
import { Skeleton } from '#components/loading.tsx';
import { sectionPreviews } from '#site/sections/index.ts';
import type { SectionProps } from '#site/sections/section-props.ts';
import { listRecords, type ContentRecord } from '../content-calls.ts';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import css from './preview.module.css';
import { isPreviewDraft, withDraft, type PreviewDraft, type PreviewReport } from './preview-message.ts';

type Lists = Partial<Record<SectionName, readonly ContentRecord[]>>;

/** The sections that the same component shows. */
const shownTogether = (name: PublicSectionName): readonly PublicSectionName[] =>
  sectionNames.filter(isShown).filter((other) => sectionPreviews[other] === sectionPreviews[name]);

async function readTogether(name: PublicSectionName, signal: AbortSignal): Promise<Lists> {
  // The library belongs to every section that shows pictures.
  const names = [...new Set([...shownTogether(name), 'media' as const])];
  const lists = await Promise.all(names.map((other) => listRecords(other, signal)));
  return Object.fromEntries(names.map((other, index) => [other, lists[index] ?? []]));
}

const report = (message: PreviewReport) => {
  if (parent !== window) parent.postMessage(message, location.origin);
};

const rest = (event: SyntheticEvent) => event.preventDefault();

/** What a visitor may unfold stands open, so that all that is typed is seen. */
function unfold(section: HTMLElement | null): void {
  for (const details of section?.querySelectorAll('details') ?? []) details.open = true;
}

export default function Preview() {
  const [draft, setDraft] = useState<PreviewDraft>();
  const take = useEffectEvent((event: MessageEvent<unknown>) => {
    if (event.origin === location.origin && event.source === parent && isPreviewDraft(event.data))
      setDraft(event.data);
  });
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>) => take(event);
    addEventListener('message', listen);
    report({ type: 'ready' });
    return () => removeEventListener('message', listen);
  }, []);
  // A long section takes its time to render; the editor, which shares the thread, must not wait for it.
  const shown = useDeferredValue(draft);
  if (!shown || !isShown(shown.section)) return <Skeleton lines={4} />;
  return <SectionPreview section={shown.section} draft={shown} />;
}

function SectionPreview({
  section,
  draft,
}: {
  readonly section: PublicSectionName;
  readonly draft: PreviewDraft;
}) {
  const { generation } = draft;
  const lists = useLoaded(`${section} ${generation}`, (signal) => readTogether(section, signal));
  const frame = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() =>
      report({ type: 'height', height: Math.ceil(element.getBoundingClientRect().height) }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => unfold(frame.current));

  const Shown = sectionPreviews[section];
  const { data, error } = lists;
  const isAlone = sectionNamed(section).isShownAlone === true;
  const records = withDraft(data?.[section] ?? [], draft).filter(({ _id }) => !isAlone || _id === draft.id);
  // The records hold every field of their section as text, which is all that the components' type says.
  const content = data && ({ ...data, [section]: records } as SectionProps['content']);
  return (
    <div ref={frame} onClickCapture={rest} onSubmitCapture={rest}>
      {content && Shown && <Shown content={content} />}
      {content && (
        <p className={`wrap ${css['nothing'] ?? ''}`}>
          Nothing to see yet: a section appears once it is filled in, a heading once its list has an item.
        </p>
      )}
      {error && <p className="wrap">The preview could not be loaded: {error.message}</p>}
      {!content && !error && <Skeleton lines={4} label={`Loading ${sectionNamed(section).title}`} />}
    </div>
  );
}
