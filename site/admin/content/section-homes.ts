/** The home screens that the settings hub and the navigation list: those of the registry, and of two settings beside it. */
import { groupBy } from '#contract/group-by.ts';
import { linkToHome } from '#contract/all-screens.ts';
import type { Ability } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import { sectionGroups, sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import type { Section } from '#contract/section.ts';

export interface Home {
  /** Path of the screen. */
  readonly path: string;
  readonly title: string;
  /** One sentence: where its sections appear, or what it is for. */
  readonly about: string;
  /** Who may use it. */
  readonly ability: Ability;
  /** Below which heading the hub lists it; absent for the specification's ten, which come first. */
  readonly group?: string | undefined;
}

export interface SectionHome extends Home {
  readonly sections: readonly SectionName[];
  /** Place in the hub; homes without one share the place after the others. */
  readonly place: number;
}

/** The end of the address of a list's screen whose form for a new item is open. */
export const addHash = '#add';

/** What people call the section as a whole: a singleton by its title, any other by its plural. */
export const sectionTitle = ({ kind, title, plural }: Section): string =>
  kind === 'singleton' || title.endsWith('s') ? title : (plural ?? `${title}s`);

/** Every home screen in the order of the settings hub. */
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
  about: 'The publishable key with which the payment page reaches Stripe.',
  ability: 'administrator',
  group: 'Settings',
};

export const usersHome: Home = {
  path: linkTo('members'),
  title: 'Users',
  about: 'Who may use these screens.',
  ability: 'administrator',
  group: 'Settings',
};

/** All of the hub. */
export const homes: readonly Home[] = [...sectionHomes, paymentKeyHome, usersHome];
