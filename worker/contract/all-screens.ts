/**
 * Every page of the site: the table of `screens.ts`, and the admin screens that derive from the registry. The Worker
 * guards and serves exactly these pages.
 */
import { groupBy } from './group-by.ts';
import { fillPath } from './route-pattern.ts';
import { linkTo, namedScreens, screenFinder, type NamedScreen, type Screen } from './screens.ts';
import { sectionNamed, sectionNames, type SectionName } from './sections/index.ts';

/**
 * A screen of the registry. `sections` is a home screen, which may show several sections. `editRecord` edits one
 * record.
 */
export interface SectionScreen extends Screen {
  readonly name: 'sections' | 'editRecord';
  readonly kind: 'admin';
  readonly sections: readonly SectionName[];
}

export const linkToHome = (section: SectionName): string => sectionNamed(section).screen.home;

function sectionScreens(): SectionScreen[] {
  const common = { who: 'content', kind: 'admin' } as const;
  const homes = groupBy(sectionNames, linkToHome);
  return [
    ...Array.from(
      homes,
      ([pattern, sections]) => ({ ...common, name: 'sections', pattern, sections }) as const,
    ),
    ...sectionNames.flatMap((name) => {
      const { edit, editAliases = [] } = sectionNamed(name).screen;
      return [edit, ...editAliases].map(
        (pattern) => ({ ...common, name: 'editRecord', pattern, sections: [name] }) as const,
      );
    }),
  ];
}

export type AnyScreen = NamedScreen | SectionScreen;

export const allScreens: readonly AnyScreen[] = [...namedScreens, ...sectionScreens()];

/** Finds the screen at a path, and the id in the path. A trailing slash makes no difference. */
export const findScreen = screenFinder(allScreens);

/** Finds the screen that a link on this site points to. The link may have a query and a fragment. */
export const findLinkedScreen = (link: string) => findScreen(link.replace(/[?#].*/s, ''));

/**
 * The id of the package if a path is the address of its order form; undefined for other paths. The path may have a
 * query.
 */
export function packageToOrder(path: string): string | undefined {
  const found = findLinkedScreen(path);
  return found?.screen.name === 'orderForm' ? found.id : undefined;
}

/**
 * Restricts where an emailed link may lead: to the order form of a package, or to the page of an order. Otherwise,
 * anyone could have an email with any path sent to someone else.
 * @returns undefined for other paths
 */
export function mailableNext(path: string): string | undefined {
  const found = findLinkedScreen(path);
  if (found?.screen.name !== 'orderForm' && found?.screen.name !== 'myOrder') return undefined;
  return linkTo(found.screen.name, found.id);
}

/**
 * The address of the screen that edits a record of a section.
 * @param release the id of the release in which the record is edited; empty for the live record
 */
export const linkToRecord = (section: SectionName, id: string, release = ''): string =>
  fillPath(sectionNamed(section).screen.edit, id) + (release && `?release=${release}`);
