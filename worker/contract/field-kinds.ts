/** The kinds of fields: how each checks a value, and a valid sample. `line` is the default. */
import { isPath, isSafeAddress, slugPattern } from './addresses.ts';
import { accentProblem } from './colors.ts';
import { isDay } from './days.ts';
import { markdownProblem } from './markdown-budget.ts';
import { isPrice, priceProblem } from './money.ts';
import { packageNames } from './orders.ts';
import { tagsProblem } from './tags.ts';

/** The parts of a field that its kind needs. */
interface KindField {
  readonly label: string;
  readonly options?: readonly string[];
}

interface FieldKindRule {
  /** A sentence that says why a value does not fit the kind; undefined if it does. A kind without it accepts any text. */
  readonly problem?: (value: string, field: KindField) => string | undefined;
  /**
   * Whether people write the value as a text. It keeps its invisible characters, because a zero-width space has a meaning
   * in some scripts, and it may contain the firm's name as `{name}`.
   */
  readonly isText?: true;
  /** A valid value for tests. Where values may have to be unique, it is different for each number. */
  readonly sample: (number: number, field: KindField) => string;
}

/** Returns a check that returns a sentence. */
const unless = (isValid: (value: string) => boolean, sentence: string) => (value: string) =>
  isValid(value) ? undefined : sentence;

export const linkRule =
  'Use a web address (https://…), a path on this site (/…), mailto:, tel: or a # anchor.';

const knownPackages: readonly string[] = packageNames;

const labeled = (number: number, { label }: KindField) => `${label} ${number}`;

const fieldKinds = {
  /** One line of text. */
  line: { isText: true, sample: labeled },
  /** Several lines of text. */
  text: { isText: true, sample: labeled },
  /** Several lines of CommonMark. HTML is shown as typed. */
  markdown: {
    isText: true,
    problem(value, { label }) {
      const problem = markdownProblem(value);
      return problem === undefined ? undefined : `${label} ${problem}`;
    },
    sample: labeled,
  },
  /** The address of an image. */
  image: {
    problem: unless(
      (value) => isSafeAddress(value, 'image'),
      'Use a picture address that begins with https:// or a path on this site (/…).',
    ),
    sample: () => 'https://images.example/picture.png',
  },
  /** An address that a visitor may follow. */
  link: { problem: unless((value) => isSafeAddress(value, 'link'), linkRule), sample: () => '/pricing/' },
  /** A path on this site, without fragment. */
  path: {
    problem: unless(
      isPath,
      'Use a path on this site that begins with one slash, without #, such as /old-page or /?p=12.',
    ),
    sample: (number) => `/old-page-${number}`,
  },
  /** The name of an icon in our set; any other text shows a neutral icon. */
  icon: { sample: labeled },
  /** A decimal string, see money.ts. */
  price: {
    problem: unless(isPrice, priceProblem),
    sample: (number) => `${100 + number}.50`,
  },
  /** A number from 0 to 100; any other text is kept but shows no bar. */
  percent: { sample: labeled },
  /** A whole number of days, at most a year. */
  days: {
    problem: unless(
      (value) => /^\d{1,3}$/.test(value) && Number(value) <= 365,
      'Use a whole number of days from 0 to 365.',
    ),
    sample: (number) => String(number % 366),
  },
  /** A day: YYYY-MM-DD. */
  day: {
    problem: unless(isDay, 'Use a day such as 2027-04-09: year, month, day.'),
    sample: () => '2026-03-09',
  },
  /** The last part of an address: lowercase letters, digits and hyphens. */
  slug: {
    problem: unless(
      (value) => slugPattern.test(value),
      'Use lowercase letters, digits and single hyphens, such as how-borrowers-search.',
    ),
    sample: (number) => `an-address-${number}`,
  },
  /** Tags of an article, separated by commas. */
  tags: { problem: tagsProblem, sample: labeled },
  /** Names of packages, separated by commas; empty for all. */
  packages: {
    problem: unless(
      (value) => value.split(',').every((name) => knownPackages.includes(name.trim())),
      `Use names of packages, separated by commas: ${packageNames.join(', ')}.`,
    ),
    sample: () => 'Basic, Standard',
  },
  /** A color that is readable as text, such as `#1a4fd6` (colors.ts). */
  color: {
    problem: accentProblem,
    sample: (number) => `#1040${(number % 256).toString(16).padStart(2, '0')}`,
  },
  /** One of `options`. */
  choice: {
    problem: (value, { options = [] }) =>
      options.includes(value) ? undefined : `Choose one of ${options.join(', ')}.`,
    sample: (_, { options = [] }) => options[0] ?? '',
  },
} as const satisfies Readonly<Record<string, FieldKindRule>>;

export type FieldKind = keyof typeof fieldKinds;

export const ruleOf = ({ kind = 'line' }: { readonly kind?: FieldKind }): FieldKindRule => fieldKinds[kind];
