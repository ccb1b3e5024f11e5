/** Uploads pictures that were chosen, dropped or pasted, and then asks for their descriptions. */
import { useState } from 'react';
import { Alert } from '#site/ui/alert.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { smallPath } from './small-path.ts';
import type { Media } from './upload.ts';
import { UploadButton, UploadProgress } from './upload-button.tsx';
import { Card } from '#site/ui/card.tsx';
import { cluster, row, stack } from '#site/ui/layout.ts';
import css from './upload-panel.module.css';
import { useDropAndPaste, useUpload } from './use-upload.ts';

const MediaDetails = lazyPart(() => import('./media-details.tsx'));

export default function UploadPanel() {
  const [uploaded, setUploaded] = useState<readonly Media[]>([]);
  const { upload, failures, ...progress } = useUpload((media) => {
    setUploaded((all) => [media, ...all]);
    void refetchScreen();
  });
  useDropAndPaste(upload);
  return (
    <Card title="Add pictures">
      <div className={row(3)}>
        <UploadButton isBusy={progress.isBusy} onFiles={upload} multiple>
          Upload pictures
        </UploadButton>
        <span className="note">
          or drop or paste them anywhere on this page: PNG, JPEG, WebP, GIF or SVG, up to 10 MB each.
        </span>
      </div>
      <UploadProgress {...progress} />
      {failures.map((failure) => (
        <Alert key={failure} title="Not uploaded">
          {failure}
        </Alert>
      ))}
      {uploaded.length > 0 && (
        <ul className={stack(4)} aria-label="Uploaded just now">
          {uploaded.map((media) => (
            <li key={media._id} className={cluster(4)}>
              <img src={smallPath(media)} alt="" className={css['image']} />
              <div className={css['words']}>
                <strong>{media.name}</strong>
                <MediaDetails id={media._id} isOpen />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
