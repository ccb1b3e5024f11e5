/**
 * A section of the site is one plain object; its table, validation, calls, admin screen, history, preview and tests all
 * derive from it, so that adding a section is adding data (docs/decisions/contract.md).
 */

/** How a field is typed, checked and shown. `line` is the default. */
export type FieldKind =
  | 'line' // one line of text
  | 'text' // several lines of text
  | 'markdown' // several lines of CommonMark; HTML in it shows as typed
  | 'image' // address of an image
  | 'link' // address that a visitor may follow
  | 'path' // path on this site, without fragment
  | 'icon' // name of an icon of the set in use; any other text shows a neutral icon
  | 'price' // decimal string, see money.ts
  | 'percent' // number from 0 to 100; any other text is kept and shows no bar
  | 'days' // a whole number of days, at most a year
  | 'packages' // names of packages with commas between; none for all
  | 'choice'; // one of `options`

export interface Field {
  readonly label: string;
  readonly kind?: FieldKind;
  readonly help?: string;
  /** Longest value in characters, where it is not the usual one. */
  readonly maxLength?: number;
  /** May be empty: the field belongs to a variant of the section only. */
  readonly optional?: true;
  /** Only the edit form names it, so it may be empty and the add form does not ask for it. */
  readonly editOnly?: true;
  readonly options?: readonly string[];
  /** What people call an option whose value says little to them. */
  readonly optionTitles?: Readonly<Record<string, string>>;
  /** What the add form starts with, and what a missing value becomes. */
  readonly default?: string;
  /** Set when the record is made, and shown from then on: no call changes it. */
  readonly fixed?: true;
  /** No two records of the section may share a value of this field (compared without regard to case). */
  readonly unique?: true;
}

export interface Section {
  /** Name of the database table. */
  readonly table: string;
  /** `singleton`: at most one record. `list`: any number, in an order of its own. `fixed`: neither added nor removed. */
  readonly kind: 'singleton' | 'list' | 'fixed';
  /** What people call one record; used in headings and in alerts that the spec does not name. */
  readonly title: string;
  /** What people call all of its records together; by default the title with an s, and of a singleton the title. */
  readonly plural?: string;
  /** One sentence for the settings hub: where the section appears. */
  readonly about: string;
  /** Paths below `/api`, as the specification spells them. */
  readonly api: {
    readonly list: `/${string}`;
    readonly add?: `/${string}`;
    readonly read?: `/${string}`;
    readonly update?: `/${string}`;
  };
  /** Paths of the admin screens; sections that share `home` share a screen. */
  readonly screen: {
    readonly home: string;
    readonly edit: string;
    /** Other addresses of the same edit screen. */
    readonly editAliases?: readonly string[];
    /** Label of the link that leads to the edit screen. */
    readonly editLink: string;
    /** Place of the home among those that the settings hub shows first, from 1; the others follow in registry order. */
    readonly place?: number;
    /** Headings of the forms that the spec names; by default 'Add <title in text>' and 'Edit <title in text>'. */
    readonly headings?: { readonly add?: string; readonly edit?: string };
  };
  /** Toasts shown once the server has confirmed; by default '<title> is Added' and '<title> is Updated'. */
  readonly alerts?: { readonly added?: string; readonly updated?: string };
  /** Who may read the records through the API; everyone by default. */
  readonly read?: 'content';
  /** False where no public page shows the section, so a save has nothing to render. */
  readonly shown?: false;
  /** Each record appears on a page of its own or alone: the preview shows only the one that is edited. */
  readonly isShownAlone?: true;
  /** Name of the field that stands for a record in lists and links; the first field by default. */
  readonly titleField?: string;
  /** Name of the field that holds the number by which people know an item, shown on its card. */
  readonly numberField?: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** A stored record: its id and every field as a string. */
export type Row<S extends Section> = { readonly _id: string } & { readonly [F in keyof S['fields']]: string };

/** The fields of a section that a new record may leave out. */
type LeftOut<Fields> = {
  [F in keyof Fields]: Fields[F] extends
    { readonly optional: true } | { readonly editOnly: true } | { readonly default: string }
    ? F
    : never;
}[keyof Fields];

/** What a new record is made from: every field that must be filled, and those that may be left out. */
export type Input<S extends Section> = {
  readonly [F in Exclude<keyof S['fields'], LeftOut<S['fields']>>]: string;
} & { readonly [F in LeftOut<S['fields']>]?: string };

/** A field may be left empty when only a variant or the edit form names it. */
export const mayBeEmpty = (field: Field): boolean => field.optional === true || field.editOnly === true;

/** Whether a field is shown and never changed: it says which of the fixed records this is, as a package's name does, or what a file is. */
export const isFixedField = (section: Section, field: Field): boolean =>
  field.fixed === true || (section.kind === 'fixed' && field.unique === true);

/** A section's title within a sentence: 'Video section' is a video section, an 'FAQ item' stays an FAQ item. */
export const titleInText = ({ title }: Pick<Section, 'title'>): string =>
  title.replace(/\b[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase());

/** The toast for a confirmed save. */
export function alertFor(section: Section, done: 'added' | 'updated'): string {
  return section.alerts?.[done] ?? `${section.title} is ${done === 'added' ? 'Added' : 'Updated'}`;
}

/** The field whose value names a record in lists. */
export function titleFieldOf(section: Section): string {
  return section.titleField ?? Object.keys(section.fields)[0] ?? '_id';
}

/** Longest value of a field, in characters. */
export const maxLengthOf = ({ maxLength = 5_000 }: Field): number => maxLength;
