/**
 * Every page of the site: the table of `screens.ts`, and the admin screens that derive from the registry. The Worker
 * guards and serves exactly these pages.
 */
import { fillPath } from './route-pattern.ts';
import { linkTo, namedScreens, screenFinder, type NamedScreen, type Screen } from './screens.ts';
import { sectionNamed, sectionNames, type SectionName } from './sections/index.ts';

/** A screen of the registry. `sections` is a home, which may show several sections. `editRecord` edits one record. */
export interface SectionScreen extends Screen {
  readonly name: 'sections' | 'editRecord';
  readonly kind: 'admin';
  readonly sections: readonly SectionName[];
}

function sectionScreens(): SectionScreen[] {
  const homes = new Map<string, SectionName[]>();
  const edits: SectionScreen[] = [];
  for (const name of sectionNames) {
    const { home, edit, editAliases = [] } = sectionNamed(name).screen;
    homes.set(home, [...(homes.get(home) ?? []), name]);
    for (const pattern of [edit, ...editAliases])
      edits.push({ pattern, who: 'content', kind: 'admin', name: 'editRecord', sections: [name] });
  }
  const homeScreens = Array.from(homes, ([pattern, sections]): SectionScreen => ({
    pattern,
    who: 'content',
    kind: 'admin',
    name: 'sections',
    sections,
  }));
  return [...homeScreens, ...edits];
}

export type AnyScreen = NamedScreen | SectionScreen;

export const allScreens: readonly AnyScreen[] = [...namedScreens, ...sectionScreens()];

/** Finds the screen at a path, and the id in the path. A trailing slash makes no difference. */
export const findScreen = screenFinder(allScreens);

/** The id of the package whose order form a path leads to; undefined for other paths. The path may have a query. */
export function packageToOrder(path: string): string | undefined {
  const found = findScreen(path.replace(/[?#].*/s, ''));
  return found?.screen.name === 'orderForm' ? found.id : undefined;
}

/**
 * Restricts where a mailed link may lead: to the order form of a package, or to the page of an order. Anyone can
 * request a mail to someone else, with any path.
 * @returns undefined for other paths
 */
export function mailableNext(path: string): string | undefined {
  const found = findScreen(path.replace(/[?#].*/s, ''));
  if (found?.screen.name !== 'orderForm' && found?.screen.name !== 'myOrder') return undefined;
  return linkTo(found.screen.name, found.id);
}

export const linkToHome = (section: SectionName): string => sectionNamed(section).screen.home;

/**
 * The address of the screen that edits a record of a section.
 * @param release the id of the release in which the record is edited; empty for the live record
 */
export const linkToRecord = (section: SectionName, id: string, release = ''): string =>
  fillPath(sectionNamed(section).screen.edit, id) + (release && `?release=${release}`);
