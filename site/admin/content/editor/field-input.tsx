/** The input for a field of a section, by the field's kind. */
import { useContext, type ComponentProps } from 'react';
import { linkRule } from '#contract/field-kinds.ts';
import { maxLengthOf, mayBeEmpty, shownValue, type Field as SectionField } from '#contract/section.ts';
import { Field, FormErrors, TextAreaField } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { isComposing } from '#site/ui/is-composing.ts';
import { Skeleton } from '#site/ui/loading.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { checkAddress } from './address-check.ts';
import { ColorField } from './color-field.tsx';
import { fieldId } from './edit-form.tsx';
import { IconField } from './icon-field.tsx';
import { ImageField } from './image-field.tsx';
import { stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import css from './field-input.module.css';

interface FieldInputProps {
  /** The prefix of the id, because two forms on a screen may have fields with the same name. */
  readonly form: string;
  readonly name: string;
  readonly field: SectionField;
  readonly value: string;
  /** A hint about the value in relation to the record's other values. */
  readonly note?: string | undefined;
  /** Why the value is read-only; undefined if it can be changed. */
  readonly fixedBecause?: string | undefined;
  readonly onChange: (value: string) => void;
}

const MarkdownField = lazyPart(() => import('../markdown/markdown-field.tsx'), <Skeleton lines={14} />);

interface LineProps {
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}

const rowsFor = (value: string, most = 14) => Math.min(most, Math.max(4, Math.ceil(value.length / 70)));

const lengthOf = (value: string) => Array.from(value).length;

/** The field's help text and, near the maximum length, the number of characters. A note may already count them. */
function helpOf(field: SectionField, value: string, note?: string): string | undefined {
  const help = [field.help, note].filter((text) => text !== undefined).join(' ') || undefined;
  const most = maxLengthOf(field);
  const length = value.length > most * 0.8 ? lengthOf(value) : 0;
  if (length === 0 || note !== undefined) return help;
  const use = `${length.toLocaleString('en-US')} of ${most.toLocaleString('en-US')} characters.`;
  return help === undefined ? use : `${help} ${use}`;
}

export function FieldInput(props: FieldInputProps) {
  const { form, name, field, value, fixedBecause, onChange } = props;
  const error = useContext(FormErrors)[name];
  const help = helpOf(field, value, props.note);
  const common = {
    id: fieldId(form, name),
    name,
    label: field.label,
    value,
    error,
    required: !mayBeEmpty(field),
    autoComplete: 'off',
    ...(help !== undefined && { help }),
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  /** Right-to-left text is shown in its own direction. */
  const text = { dir: 'auto' } as const;
  const address = { inputMode: 'url', spellCheck: false, autoCapitalize: 'none' } as const;
  if (fixedBecause !== undefined) {
    return (
      <Field {...common} value={shownValue(field, value)} readOnly required={undefined} help={fixedBecause} />
    );
  }
  switch (field.kind) {
    case 'text':
      return <TextAreaField {...common} {...text} rows={rowsFor(value)} />;
    case 'markdown':
      return <MarkdownField {...common} {...text} rows={rowsFor(value, 28)} />;
    case 'day':
      return <Field {...common} type="date" />;
    case 'choice':
      return (
        <SelectField
          {...common}
          options={(field.options ?? []).map((option) => [option, shownValue(field, option)])}
        />
      );
    case 'image':
      return <ImageField {...common} {...address} backgrounds={field.backgrounds} onChoose={onChange} />;
    case 'color':
      return <ColorField {...common} onChoose={onChange} />;
    case 'path':
    case 'slug':
      return <Field {...common} {...address} />;
    case 'link':
      return (
        <div className={stack(1)}>
          <Field {...common} {...address} />
          <LinkCheck address={value} />
        </div>
      );
    case 'icon':
      return <IconField {...common} onChoose={onChange} />;
    case 'price':
      return <Field {...common} inputMode="decimal" />;
    case 'days':
    case 'percent':
      return <Field {...common} inputMode="numeric" />;
    default:
      return <LineField {...common} {...text} />;
  }
}

/** A single-line text without line breaks. The input grows so that the whole text is visible. */
function LineField({ onChange, ...field }: ComponentProps<typeof TextAreaField> & LineProps) {
  return (
    <TextAreaField
      {...field}
      data-line=""
      rows={Math.ceil(Math.max(1, field.value.length) / 40)}
      onChange={({ target }) => onChange({ target: { value: target.value.replaceAll(/\s*\n\s*/g, ' ') } })}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}

/** Shows whether the link works, with a button that opens it. */
function LinkCheck({ address }: { readonly address: string }) {
  const result = checkAddress(address, 'link');
  if (result === 'fine')
    return (
      <p className={classNames('note', css['note'])}>
        <TextLink href={address.trim()} target="_blank" rel="noreferrer">
          Try this link (new tab)
        </TextLink>
      </p>
    );
  return (
    <p className={classNames('note warning', css['note'])} aria-live="polite">
      {result === 'no-page' &&
        'This site has no page at this address. The link works only if there is a redirect.'}
      {result === 'refused' && linkRule}
    </p>
  );
}
