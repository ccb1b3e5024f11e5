/** The sample report on the service page, with numbered notes. */
import { only } from '#contract/sections/index.ts';
import { Section } from '../section.tsx';
import { Picture } from '../picture.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import details from '../details.module.css';
import css from './sample-report.module.css';

export const shows: Shows = ['sampleReport', 'reportNote'];

export default function SampleReport({ content }: SectionProps) {
  const report = only(content.sampleReport ?? []);
  if (!report) return null;
  const notes = content.reportNote ?? [];
  const pages = [report.reportPageOne, report.reportPageTwo].filter(Boolean);
  return (
    <Section id="sample-report" tone="sunken">
      <SectionHeading title={report.reportHeading} text={report.reportDetails} />
      <div className={css['report']}>
        <div className={css['pages']}>
          {pages.map((src, index) => (
            <Picture
              key={index}
              src={src}
              media={content.media}
              sizes="(min-width: 60rem) 26rem, 100vw"
              className={css['page']}
              // A phone shows the top of the first page without scrolling.
              when={index === 0 ? 'now' : 'near'}
            />
          ))}
        </div>
        {notes.length > 0 && (
          <ol className={css['notes']}>
            {notes.map((note) => (
              <li key={note._id} className={css['note']}>
                <h3 className={css['title']}>{note.noteTitle}</h3>
                <p className={details['text']}>{note.noteDetails}</p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Section>
  );
}
