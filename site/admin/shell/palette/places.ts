/** Every screen, section and new-item form that the user may open, with the words that find them. */
import { titleInText } from '#contract/section.ts';
import { linkTo } from '#contract/screens.ts';
import { linkToHome } from '#contract/all-screens.ts';
import { sectionNamed, sectionNames } from '#contract/sections/index.ts';
import { can } from '#site/admin/content/content-calls.ts';
import { addHash, sectionHomes } from '#site/admin/content/section-homes.ts';
import { offered, siteEntries, workEntries } from '../entries.ts';
import { offers } from '../role.ts';
import type { Option } from './matching.ts';
import { screenSynonyms, sectionSynonyms } from './synonyms.ts';

const newOrder = { href: linkTo('newOrder'), label: 'New order', ability: 'orders' } as const;

const screens = (): readonly Option[] =>
  offered([...workEntries, ...siteEntries, newOrder]).map(({ href, label }) => ({
    href,
    label,
    about: 'Screen',
    words: screenSynonyms[href] ?? '',
  }));

/** A section is found by its title, its fields, and other words. */
const sections = (): readonly Option[] =>
  sectionHomes.map(({ path, title, sections: names }) => ({
    href: path,
    label: title,
    about: 'Section',
    words: names
      .flatMap((name) => {
        const section = sectionNamed(name);
        const labels = Object.values(section.fields).map(({ label }) => label);
        return [section.title, sectionSynonyms[name] ?? '', ...labels];
      })
      .join(' '),
  }));

const additions = (): readonly Option[] =>
  sectionNames
    .filter((name) => sectionNamed(name).kind === 'list' && can(name, 'add'))
    .map((name) => ({
      href: `${linkToHome(name)}${addHash}`,
      label: `Add ${titleInText(sectionNamed(name))}`,
      about: 'Form',
      words: 'new create',
    }));

export const places = (): readonly Option[] => [
  ...screens(),
  ...(offers('content') ? [...sections(), ...additions()] : []),
];
