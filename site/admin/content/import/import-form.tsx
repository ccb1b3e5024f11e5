/** Imports articles from Markdown files or a WordPress export, and reports what could not be imported. */
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import { linkTo } from '#contract/screens.ts';
import { Button } from '#site/ui/button.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { UploadButton } from '../media/upload-button.tsx';
import { importArticles, readFiles, type ImportReport } from './import-articles.ts';
import type { LeftOut } from './read-articles.ts';
import { row, stack } from '#site/ui/layout.ts';
import css from './import-form.module.css';

/** Returns host names from lines with URLs or names. */
const hostsIn = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/)
    .map((part) =>
      part
        .replace(/^https?:\/\//i, '')
        .replace(/[/:].*$/, '')
        .toLowerCase(),
    )
    .filter((host) => host !== '');

function Listed({ title, items }: { readonly title: string; readonly items: readonly LeftOut[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {items.map(({ source, part, why }, index) => (
          <li key={`${source} ${String(index)}`}>
            {source}
            {part !== undefined && `, ${part}`}: {why}
          </li>
        ))}
      </ul>
    </>
  );
}

function Report({ report }: { readonly report: ImportReport }) {
  const missing = report.left.filter(({ part }) => part === undefined);
  const parts = report.left.filter(
    ({ source, part }) => part !== undefined && !missing.some((one) => one.source === source),
  );
  return (
    <div role="status" className={stack(4, css['report'])}>
      <p>
        {report.count === 0
          ? 'No articles were imported.'
          : `${counted(report.count, 'article')} imported. Nothing is live yet: review ${report.releases.length > 1 ? 'each release' : 'the release'}, then publish it.`}
      </p>
      {(report.count > 0 ? report.releases : []).map(({ _id, title }) => (
        <p key={_id}>
          <TextLink href={linkTo('release', _id)}>{title}</TextLink>
        </p>
      ))}
      <Listed title="Not imported" items={missing} />
      <Listed title="Imported, but please check" items={parts} />
    </div>
  );
}

export default function ImportForm() {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [hosts, setHosts] = useState('');
  const [progress, setProgress] = useState<string>();
  const [report, setReport] = useState<ImportReport>();

  async function send() {
    if (files.length === 0 || progress !== undefined) return;
    setReport(undefined);
    setProgress('Reading the files…');
    const { read, left } = await readFiles(files);
    const imported = await importArticles(read, hostsIn(hosts), (done, all) =>
      setProgress(`Article ${String(done + 1)} of ${String(all)} …`),
    );
    setReport({ ...imported, left: [...left, ...imported.left] });
    setProgress(undefined);
    if (imported.count > 0) setFiles([]);
    await refetchScreen();
  }

  return (
    <Form className={stack(4, css['form'])} onSend={send}>
      <div className={row([2, 3])}>
        <UploadButton accept=".md,.markdown,.xml" isBusy={false} onFiles={setFiles} multiple>
          Choose files
        </UploadButton>
        <span role="status" className="note">
          {files.length === 0
            ? 'Markdown files or a WordPress export file'
            : `${counted(files.length, 'file')}: ${files.map(({ name }) => name).join(', ')}`}
        </span>
      </div>
      <TextAreaField
        label="Fetch pictures from"
        name="hosts"
        required={false}
        rows={2}
        value={hosts}
        placeholder="www.old-site.com"
        help="One site per line. Pictures from other sites are skipped."
        onChange={({ target }) => setHosts(target.value)}
      />
      <Button type="submit" busy={progress !== undefined} aria-disabled={files.length === 0}>
        Import
      </Button>
      {progress !== undefined && <p role="status">{progress}</p>}
      {report && <Report report={report} />}
    </Form>
  );
}
