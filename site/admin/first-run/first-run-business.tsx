/** The steps of the first run for the business details and the legal pages. Both can be skipped. */
import type { FieldErrors } from '#contract/problem.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import type { ContentRecord } from '#contract/section-calls.ts';
import { Field, TextAreaField } from '#site/ui/field.tsx';
import { textsIn } from '#site/app/use-form.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { siteZone } from '#site/ui/date-time.tsx';
import { useReadOnce } from '#site/app/query.ts';
import { addRecord, callOf, updateRecord } from '../content/content-calls.ts';
import { checkValues } from '../content/editor/check-values.ts';
import { takeFocus } from '#site/ui/focus-heading.ts';
import { Step, type At } from './first-run-step.tsx';

/** The fields that every business needs; the others are in Settings. */
const asked = ['legalName', 'postalAddress', 'phone', 'taxNumber'] as const;

function addDetails(form: HTMLFormElement) {
  const { fields } = sectionNamed('businessDetails');
  const blank = Object.fromEntries(Object.keys(fields).map((name) => [name, '']));
  return addRecord('businessDetails', { ...blank, ...textsIn(form, asked) });
}

export function BusinessDetailsStep(at: At) {
  const fields = sectionNamed('businessDetails').fields;
  const labelsOf = (name: (typeof asked)[number]) => ({
    name,
    label: fields[name]?.label ?? name,
    help: fields[name]?.help,
  });
  return (
    <Step
      {...at}
      canWait
      title="Add your business details"
      intro="They appear on receipts, credit notes and the payment page. You can add the rest later under Site content, Business details."
      label="Save business details"
      check={(form) => checkValues('businessDetails', textsIn(form, asked))}
      send={addDetails}
    >
      <Field {...labelsOf('legalName')} ref={takeFocus} required />
      <TextAreaField {...labelsOf('postalAddress')} rows={4} required />
      <Field {...labelsOf('phone')} required={false} />
      <Field {...labelsOf('taxNumber')} required={false} />
    </Step>
  );
}

/** The date on a legal page, in the site's time zone. */
const today = () =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: siteZone() }).format(new Date());

/** The typed texts by the paths of their pages. */
const textsOf = (form: HTMLFormElement, pages: readonly ContentRecord[]) =>
  textsIn(
    form,
    pages.map(({ path = '' }) => path),
  );

const checkPages = (form: HTMLFormElement, pages: readonly ContentRecord[]): FieldErrors =>
  Object.fromEntries(
    Object.entries(textsOf(form, pages)).flatMap(([path, text]) =>
      Object.values(checkValues('legalPage', { text })).map((problem) => [path, problem]),
    ),
  );

async function savePages(form: HTMLFormElement, pages: readonly ContentRecord[]): Promise<void> {
  const typed = textsOf(form, pages);
  for (const { _id, path = '', text: before, ...page } of pages) {
    const text = typed[path] ?? '';
    if (text.replaceAll('\r\n', '\n') !== before)
      await updateRecord('legalPage', _id, { ...page, path, text, updated: today() }, undefined);
  }
}

export function BusinessPagesStep(at: At) {
  const pages = useReadOnce(callOf('legalPage', 'list'));
  return (
    <QueryBoundary query={pages}>
      {({ data }) => (
        <Step
          {...at}
          canWait
          title="Write your business pages"
          intro="These are examples, and each says so at the top. Replace them with your own text, and have a lawyer review it."
          label="Publish these pages"
          check={(form) => checkPages(form, data)}
          send={(form) => savePages(form, data)}
        >
          {data.map(({ title = '', path = '', text = '' }, index) => (
            <TextAreaField
              key={path}
              {...(index === 0 && { ref: takeFocus })}
              required
              name={path}
              label={title}
              help={`Shown at ${path}.`}
              rows={12}
              defaultValue={text}
            />
          ))}
        </Step>
      )}
    </QueryBoundary>
  );
}
