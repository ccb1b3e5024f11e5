/** The home screens of the registry: what the settings hub and the navigation list. */
import { sectionNamed, sectionNames, type SectionName } from '../../../worker/contract/sections/index.ts';
import type { Section } from '../../../worker/contract/section.ts';

export interface SectionHome {
  /** Path of the screen. */
  readonly path: string;
  readonly title: string;
  /** One sentence: where its sections appear. */
  readonly about: string;
  readonly sections: readonly SectionName[];
}

/** What people call the section as a whole: a list by its plural, any other by its title. */
export const sectionTitle = ({ kind, title }: Section): string =>
  kind === 'list' && !title.endsWith('s') ? `${title}s` : title;

/** The homes that administrators open most, which the settings hub shows first. */
const firstHomes = [
  '/edit-banner',
  '/add-logo',
  '/edit-about',
  '/edit-service',
  '/edit-counter',
  '/add-pricing/',
  '/edit-testimonial/',
  '/add-address-footer/',
  '/add-social-footer/',
  '/add-copyright',
];

/** Place in the hub; those that are not among the first share the place after them, in the order of the registry. */
const placeOf = ({ path }: SectionHome): number => {
  const place = firstHomes.indexOf(path);
  return place < 0 ? firstHomes.length : place;
};

/** Every home screen in the order of the settings hub. */
export const sectionHomes: readonly SectionHome[] = Array.from(
  Map.groupBy(sectionNames, (name) => sectionNamed(name).screen.home),
  ([path, names]): SectionHome => {
    const [first, ...others] = names.map(sectionNamed);
    return {
      path,
      title: first ? sectionTitle(first) : path,
      about: [first, ...others].flatMap((section) => section?.about ?? []).join(' '),
      sections: names,
    };
  },
).sort((a, b) => placeOf(a) - placeOf(b));
