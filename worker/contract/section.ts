/**
 * A section of the site is one plain object. Its table, validation, calls, admin screens, history, preview and tests
 * all derive from it, so adding a section means adding data (docs/decisions/contract.md).
 */

import { displayDate } from './days.ts';
import type { FieldKind } from './field-kinds.ts';

export interface Field {
  readonly label: string;
  readonly kind?: FieldKind;
  readonly help?: string;
  /** The maximum length in characters; 5,000 by default. */
  readonly maxLength?: number;
  readonly optional?: true;
  /** The field is only in the edit form, so it may be empty. */
  readonly editOnly?: true;
  readonly options?: readonly string[];
  /** Labels for options whose values are hard to understand. */
  readonly optionTitles?: Readonly<Record<string, string>>;
  /** The initial value in the add form, and the value if the field is missing. */
  readonly default?: string;
  /** The value is set when the record is created. It is shown, but no call changes it. */
  readonly fixed?: true;
  /** No two records of the section may have the same value, ignoring case. */
  readonly unique?: true;
  /** An empty value is filled in when the record goes live (`worker/content/article-rules.ts`). */
  readonly filledIn?: true;
  /**
   * The text is so long that lists and the content in memory do not contain it. It is read with its record
   * (`worker/content/long-texts.ts`).
   */
  readonly long?: true;
  /**
   * What a picture is for. `icon`: a square PNG, JPEG or WebP for tabs and home screens. `shared`: a PNG, JPEG or WebP
   * for shared links.
   */
  readonly use?: 'icon' | 'shared';
  /**
   * The color schemes in which the page background is directly behind the picture. The form warns if the picture is
   * hardly visible there.
   */
  readonly backgrounds?: readonly ('light' | 'dark')[];
}

export interface Section {
  readonly table: string;
  /** `singleton`: at most one record. `list`: any number of ordered records. `fixed`: no record is added or removed. */
  readonly kind: 'singleton' | 'list' | 'fixed';
  /** The name of one record, for headings and for alerts that the specification does not fix. */
  readonly title: string;
  /** The name of all records. By default, the title with an s, or just the title for a singleton. */
  readonly plural?: string;
  /** A short text for the settings hub that says where the section appears. */
  readonly about: string;
  /** Paths below `/api`, as the specification spells them. */
  readonly api: {
    readonly list: `/${string}`;
    readonly add?: `/${string}`;
    readonly read: `/${string}`;
    /** The path of `PUT`, if it is not `read`. */
    readonly update?: `/${string}`;
  };
  /** Paths of the admin screens; sections that share `home` share a screen. */
  readonly screen: {
    readonly home: string;
    readonly edit: string;
    readonly editAliases?: readonly string[];
    /** The label of the link to the edit screen. The default is 'Edit <title in text>'. */
    readonly editLink?: string;
    /**
     * The position of the section's card in the settings hub, from 1. Cards without a position follow in registry
     * order. It is unrelated to the section's place on a page.
     */
    readonly place?: number;
    /** Headings that the specification fixes. The defaults are 'Add <title in text>' and 'Edit <title in text>'. */
    readonly headings?: { readonly add?: string; readonly edit?: string };
  };
  /** Toasts after the server has confirmed. The defaults are '<title> is Added' and '<title> is Updated'. */
  readonly alerts?: { readonly added?: string; readonly updated?: string };
  /** Who may read the records through the API; everyone by default. */
  readonly read?: 'content';
  /** False if no public page shows the section, so that a save renders nothing. */
  readonly shown?: false;
  /** The field that names a record in lists and links; the first field by default. */
  readonly titleField?: string;
  /** A field with a day. The newest record comes first, and the list cannot be reordered. */
  readonly newestBy?: string;
  /** The field with the number on an item's card. */
  readonly numberField?: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** A stored record: its id and every field as a string. */
export type Row<S extends Section> = { readonly _id: string } & { readonly [F in keyof S['fields']]: string };

type OmittableFields<Fields> = {
  [F in keyof Fields]: Fields[F] extends
    { readonly optional: true } | { readonly editOnly: true } | { readonly default: string }
    ? F
    : never;
}[keyof Fields];

/** The values of a new record: all required fields, and any others. */
export type Input<S extends Section> = {
  readonly [F in Exclude<keyof S['fields'], OmittableFields<S['fields']>>]: string;
} & { readonly [F in OmittableFields<S['fields']>]?: string };

export const mayBeEmpty = (field: Field): boolean => field.optional === true || field.editOnly === true;

/** A value for display: the title of an option, a day in the format of other screens, otherwise the value itself. */
export function shownValue(field: Field | undefined, value: string): string {
  if (field?.kind === 'day' && value !== '') return displayDate(value);
  if (field?.kind !== 'choice') return value;
  return field.optionTitles?.[value] ?? value.charAt(0).toUpperCase() + value.slice(1);
}

/** Whether a field is shown but never changed. It identifies a fixed record, such as a package, or describes a file. */
export const isFixedField = (section: Section, field: Field): boolean =>
  field.fixed === true || (section.kind === 'fixed' && field.unique === true);

/**
 * The title of a section inside a sentence: 'Video section' becomes 'video section', and 'FAQ item' stays 'FAQ item'.
 */
export const titleInText = ({ title }: Pick<Section, 'title'>): string =>
  title.replace(/\b[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase());

export const editLinkOf = (section: Section): string =>
  section.screen.editLink ?? `Edit ${titleInText(section)}`;

/** The toast after a confirmed save. */
export function alertFor(section: Section, done: 'added' | 'updated'): string {
  return section.alerts?.[done] ?? `${section.title} is ${done === 'added' ? 'Added' : 'Updated'}`;
}

export function titleFieldOf(section: Section): string {
  return section.titleField ?? Object.keys(section.fields)[0] ?? '_id';
}

/** The maximum length of a field, in characters. */
export const maxLengthOf = ({ maxLength = 5_000 }: Field): number => maxLength;
