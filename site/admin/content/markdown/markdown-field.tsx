/** The field for Markdown: buttons, shortcuts, and dropping or pasting pictures and rich text. Loaded on demand. */
import { useRef, useState, type ClipboardEvent, type ComponentProps, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import {
  Bold,
  Heading2,
  Heading3,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  Newspaper,
  Quote,
  Table,
  type LucideIcon,
} from 'lucide-react';
import { isRich, markdownFrom, withPictures } from '#contract/rich-text.ts';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { UploadProgress } from '../media/upload-button.tsx';
import { useDropAndPaste, useUpload } from '../media/use-upload.ts';
import {
  emptyTable,
  insertBlock,
  insertLink,
  toggleAround,
  toggleLines,
  type Replacement,
  type Selected,
} from './markdown-edits.ts';
import { cluster, stack } from '#site/ui/layout.ts';
import iconButton from '#site/ui/icon-button.module.css';
import css from './markdown-field.module.css';

const LibraryDialog = lazyPart(
  () => import('../media/library-dialog.tsx'),
  undefined,
  ({ onClose }) => onClose,
);
const ArticleDialog = lazyPart(
  () => import('./article-dialog.tsx'),
  undefined,
  ({ onClose }) => onClose,
);

type Change = (selected: Selected) => Replacement;

interface Tool {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly change: Change;
  /** The shortcut key, with Ctrl or Cmd. */
  readonly key?: string;
}

const tools: readonly Tool[] = [
  { label: 'Heading', Icon: Heading2, change: (selected) => toggleLines(selected, 'heading') },
  { label: 'Smaller heading', Icon: Heading3, change: (selected) => toggleLines(selected, 'subheading') },
  { label: 'Bold', Icon: Bold, key: 'b', change: (selected) => toggleAround(selected, '**', 'bold text') },
  {
    label: 'Italic',
    Icon: Italic,
    key: 'i',
    change: (selected) => toggleAround(selected, '*', 'italic text'),
  },
  { label: 'Link', Icon: Link, key: 'k', change: (selected) => insertLink(selected, 'https://') },
  { label: 'List', Icon: List, change: (selected) => toggleLines(selected, 'bullets') },
  { label: 'Numbered list', Icon: ListOrdered, change: (selected) => toggleLines(selected, 'numbers') },
  { label: 'Quotation', Icon: Quote, change: (selected) => toggleLines(selected, 'quote') },
  { label: 'Table', Icon: Table, change: (selected) => insertBlock(selected, emptyTable) },
];

/** Changes the text as if the user had typed it, so that the browser's undo works. */
function replaceIn(area: HTMLTextAreaElement, change: Change): void {
  const { value: text, selectionStart: start, selectionEnd: end } = area;
  const made = change({ text, start, end });
  area.focus();
  area.setSelectionRange(made.from, made.to);
  // Keeps the undo history. https://developer.mozilla.org/en-US/docs/Web/API/Document/execCommand
  // oxlint-disable-next-line typescript/no-deprecated -- no other API keeps the undo history
  if (!document.execCommand('insertText', false, made.by)) {
    area.setRangeText(made.by, made.from, made.to);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
  area.setSelectionRange(made.start, made.end);
}

type OpenDialog = 'library' | 'articles';

interface ToolbarProps {
  /** The id of the text area. */
  readonly id: string;
  readonly label: string;
  readonly apply: (change: Change) => void;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function ToolButton({
  label,
  title = label,
  Icon,
  onClick,
}: Pick<Tool, 'label' | 'Icon'> & { readonly title?: string; readonly onClick: () => void }) {
  return (
    <button type="button" className={iconButton['icon']} title={title} aria-label={label} onClick={onClick}>
      <Icon size="1.125rem" />
    </button>
  );
}

function Toolbar({ id, label, apply, onOpen }: ToolbarProps) {
  return (
    <div
      role="toolbar"
      aria-label={`Format ${label}`}
      aria-controls={id}
      className={cluster(1, css['tools'])}
    >
      {tools.map(({ change, key, ...tool }) => (
        <ToolButton
          key={tool.label}
          {...tool}
          {...(key !== undefined && { title: `${tool.label} (Ctrl+${key.toUpperCase()})` })}
          onClick={() => apply(change)}
        />
      ))}
      <ToolButton label="Picture" Icon={Image} onClick={() => onOpen('library')} />
      <ToolButton label="Link to an article" Icon={Newspaper} onClick={() => onOpen('articles')} />
    </div>
  );
}

export default function MarkdownField(props: ComponentProps<typeof TextAreaField> & { readonly id: string }) {
  const { id, label } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<OpenDialog>();
  const apply = (change: Change) => {
    const area = frame.current?.querySelector('textarea');
    if (area) replaceIn(area, change);
  };
  const showPicture = (path: string) => apply((selected) => insertBlock(selected, `![](${path})`));
  const uploading = useUpload(({ path }) => showPicture(path));
  useDropAndPaste(uploading.upload, frame);
  // The field cannot get the focus until the modal dialog is gone.
  const close = () => flushSync(() => setOpen(undefined));

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey === event.metaKey || event.altKey) return;
    const tool = tools.find(({ key }) => key === event.key.toLowerCase());
    if (!tool) return;
    event.preventDefault();
    apply(tool.change);
  }
  function onPaste(event: ClipboardEvent) {
    const html = event.clipboardData.getData('text/html');
    if (!isRich(html)) return;
    // Pictures pasted from another program have URLs that do not work here.
    const markdown = withPictures(
      markdownFrom(new DOMParser().parseFromString(html, 'text/html').body),
      new Map(),
    );
    if (markdown === '') return;
    event.preventDefault();
    apply(({ start, end }) => {
      const at = start + markdown.length;
      return { from: start, to: end, by: markdown, start: at, end: at };
    });
  }

  return (
    <div ref={frame} className={stack(2)}>
      <TextAreaField
        {...props}
        tools={<Toolbar id={id} label={label} apply={apply} onOpen={setOpen} />}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <UploadProgress {...uploading} />
      {uploading.failures.length > 0 && (
        <p role="alert" className="danger">
          {uploading.failures.join(' ')}
        </p>
      )}
      {open === 'library' && (
        <LibraryDialog
          onClose={close}
          onChoose={(path) => {
            close();
            showPicture(path);
          }}
        />
      )}
      {open === 'articles' && (
        <ArticleDialog
          onClose={close}
          onChoose={(path, title) => {
            close();
            apply((selected) => insertLink(selected, path, title));
          }}
        />
      )}
    </div>
  );
}
