/** An address for every screen of the route table, so that a test or a picture of all screens forgets none. */
import { sectionCalls } from '#contract/section-calls.ts';
import { addressOf } from './calls.ts';
import { allScreens, type AnyScreen } from '#contract/all-screens.ts';
import { fillPath } from '#contract/route-pattern.ts';
import type { Visitor } from './visitor.ts';

export interface AddressedScreen {
  readonly screen: AnyScreen;
  /** The screen's pattern with the id of a record that is there. */
  readonly path: string;
}

interface Listed {
  readonly _id: string;
}

/** Where the record of a screen that edits no section is listed. */
const listPaths: Readonly<Record<string, string>> = {
  '/order-now/:id': '/api/pricings',
  '/customer/:id': '/api/customers',
  '/view/:id': '/api/messages',
  '/admin-user/:id': '/api/users',
  '/stripe-key/:id': '/api/stripe-keys',
  '/release/:id': '/api/releases',
};

const listPathOf = ({ pattern, sections = [] }: AnyScreen): string | undefined => {
  const [section] = sections;
  return section === undefined ? listPaths[pattern] : addressOf(sectionCalls(section).list ?? 'GET /');
};

/**
 * Every screen, with an address that shows something; a release is begun for the one that shows it.
 * @param administrator anyone who may list everything and begin a release
 * @param orderId the order that the customer's and the administrator's order screens show
 * @throws when a screen's record is not there
 */
export async function addressScreens(
  administrator: Visitor,
  orderId: string,
): Promise<readonly AddressedScreen[]> {
  await administrator.post('/api/releases', { title: 'Autumn offer' });
  const addressed: AddressedScreen[] = [];
  for (const screen of allScreens) {
    const { pattern } = screen;
    if (!pattern.includes(':id')) {
      addressed.push({ screen, path: pattern });
      continue;
    }
    const listPath = listPathOf(screen);
    const [first] =
      listPath === undefined
        ? [{ _id: orderId }]
        : ((await administrator.get(listPath)).json as readonly Listed[]);
    if (!first) throw new Error(`${pattern}: ${String(listPath)} lists nothing.`);
    addressed.push({ screen, path: fillPath(pattern, first._id) });
  }
  return addressed;
}
