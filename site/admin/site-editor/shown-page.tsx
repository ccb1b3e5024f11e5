/** The page in the middle of the editor, with the unsaved values. */
import { useDeferredValue } from 'react';
import { withFirmName } from '#contract/brand.ts';
import { isShown } from '#contract/sections/index.ts';
import { ErrorBoundary } from '#site/app/error-boundary.tsx';
import { useTypedForms } from '../content/editor/form-store.ts';
import { recordTitle } from '../content/editor/section-texts.ts';
import { newRecordId, withTyped, type SiteContent } from './content-shown.ts';
import { PagePreview, type PagePreviewProps } from './page-preview.tsx';
import { articlePage, type PreviewTarget } from './site-pages.tsx';
import type { SectionAddress } from './use-editor.ts';

/**
 * The id of the only record that the page shows, which is the record in the form; empty if the page shows all records.
 */
function onlyShownId(
  { alone }: PreviewTarget,
  { id, sections }: SectionAddress,
  { article = [] }: SiteContent,
): string {
  // The form may also belong to the header or the footer.
  if (alone === undefined || !sections.includes(alone)) return '';
  const isNewArticle = alone === 'article' && article.some(({ _id }) => _id === newRecordId);
  return id || (isNewArticle ? newRecordId : '');
}

/** The title of the record in the form; undefined if the form does not belong to one record. */
function openTitleIn(content: SiteContent, { id, sections: [name] }: SectionAddress): string | undefined {
  if (name === undefined || !isShown(name)) return undefined;
  const record = content[name]?.find(({ _id }) => _id === id);
  return record && recordTitle(name, record);
}

interface ShownPageProps extends Pick<PagePreviewProps, 'preview' | 'view' | 'onOpen'> {
  readonly address: SectionAddress;
  readonly live: SiteContent;
  readonly released: SiteContent | undefined;
}

export function ShownPage({ preview, address, live, released, view, onOpen }: ShownPageProps) {
  // A long page takes time to render, and the form must not wait for it.
  const forms = useDeferredValue(useTypedForms());
  const content = withFirmName(withTyped(released ?? live, forms.values(), released && 'changed'));
  const { alone } = preview;
  const onlyId = onlyShownId(preview, address, content);
  const shown =
    alone === undefined || onlyId === ''
      ? content
      : { ...content, [alone]: content[alone]?.filter(({ _id }) => _id === onlyId) };
  return (
    // If a section cannot render the typed values, only the preview fails, not the form.
    <ErrorBoundary
      fallback={<p className="wrap">The page cannot be shown with the current values of the form.</p>}
      resetKey={shown}
    >
      <PagePreview
        preview={alone === 'article' && onlyId !== '' ? articlePage : preview}
        content={shown}
        isOpen={({ shows }) => shows.some((one) => address.sections.includes(one))}
        openTitle={alone === undefined ? openTitleIn(content, address) : undefined}
        view={view}
        onOpen={onOpen}
      />
    </ErrorBoundary>
  );
}
