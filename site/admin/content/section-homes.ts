/** The home screens in the settings hub and the navigation: those in the registry, and two for other settings. */
import { groupBy } from '#contract/group-by.ts';
import { linkToHome } from '#contract/all-screens.ts';
import type { Ability } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import { sectionGroups, sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import type { Section } from '#contract/section.ts';

export interface Home {
  readonly path: string;
  readonly title: string;
  /** A sentence that says where the sections appear, or their purpose. */
  readonly about: string;
  readonly ability: Ability;
  /** The heading above the card in the hub; undefined for the specification's ten cards, which come first. */
  readonly group?: string | undefined;
}

interface SectionHome extends Home {
  readonly sections: readonly SectionName[];
  /** The position in the hub. Homes without a position come last. */
  readonly place: number;
}

/** The URL fragment that opens the form for a new item. */
export const addHash = '#add';

/** The URL fragment that opens the import of articles on the screen of the releases. */
export const importHash = '#import';

/** The display title of a section: a single record's own title, otherwise the plural. */
export const sectionTitle = ({ kind, title, plural }: Section): string =>
  kind === 'singleton' || title.endsWith('s') ? title : (plural ?? `${title}s`);

/** Every home screen in the order of the hub. */
export const sectionHomes: readonly SectionHome[] = Array.from(
  groupBy(sectionNames, linkToHome),
  ([path, names]): SectionHome => {
    const [first, ...others] = names.map(sectionNamed);
    return {
      path,
      title: first ? sectionTitle(first) : path,
      about: [first, ...others].flatMap((section) => section?.about ?? []).join(' '),
      ability: 'content',
      sections: names,
      place: first?.screen.place ?? Number.MAX_SAFE_INTEGER,
      group:
        first?.screen.place === undefined
          ? sectionGroups.find((group) => names.some((name) => group.names.includes(name)))?.title
          : undefined,
    };
  },
).sort((a, b) => a.place - b.place);

export const paymentKeyHome: Home = {
  path: linkTo('addPaymentKey'),
  title: 'Payment key',
  about: 'The publishable key that the payment page uses to reach Stripe.',
  ability: 'administrator',
  group: 'Settings',
};

export const usersHome: Home = {
  path: linkTo('members'),
  title: 'Users',
  about: 'Who can open the admin panel, and what they can do there.',
  ability: 'administrator',
  group: 'Settings',
};

/** All cards of the hub. */
export const homes: readonly Home[] = [...sectionHomes, paymentKeyHome, usersHome];
