/**
 * Every page of the site: the table of `screens.ts` and the administrator's screens that follow from the registry. The
 * Worker guards and serves by it; a page that is not in it does not exist.
 */
import { fillPath } from './route-pattern.ts';
import { linkTo, namedScreens, screenFinder, type NamedScreen, type Screen } from './screens.ts';
import { sectionNamed, sectionNames, type SectionName } from './sections/index.ts';

/** A screen of the registry: `sections` is a home, on which several sections may stand, `editRecord` edits one record. */
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

/** Every page of the site. */
export const allScreens: readonly AnyScreen[] = [...namedScreens, ...sectionScreens()];

/** The screen at a path, with the id in it; a trailing slash makes no difference. Undefined: there is no such page. */
export const findScreen = screenFinder(allScreens);

/** The package whose order form a path leads to, with its query or without; undefined where it leads elsewhere. */
export function packageToOrder(path: string): string | undefined {
  const found = findScreen(path.replace(/[?#].*/s, ''));
  return found?.screen.name === 'orderForm' ? found.id : undefined;
}

/**
 * What a mailed link may lead on to: the order form of a package or the page of an order. Anybody may type any other path
 * for somebody else's mail.
 * @returns undefined for a path that leads elsewhere
 */
export function mailableNext(path: string): string | undefined {
  const found = findScreen(path.replace(/[?#].*/s, ''));
  if (found?.screen.name !== 'orderForm' && found?.screen.name !== 'myOrder') return undefined;
  return linkTo(found.screen.name, found.id);
}

/** The address of the screen on which a section stands. */
export const linkToHome = (section: SectionName): string => sectionNamed(section).screen.home;

/**
 * The address of the screen that edits a record of a section.
 * @param release the one that adds the record; empty where it is live
 */
export const linkToRecord = (section: SectionName, id: string, release = ''): string =>
  fillPath(sectionNamed(section).screen.edit, id) + (release && `?release=${release}`);
