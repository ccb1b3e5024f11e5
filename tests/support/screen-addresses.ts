/** An address for every screen of the route table, so that a test or a picture of all screens forgets none. */
import { sectionCalls } from '#contract/section-calls.ts';
import { addressOf } from './calls.ts';
import { allScreens, type AnyScreen } from '#contract/all-screens.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { Visitor, type Answer } from './visitor.ts';

export interface AddressedScreen {
  readonly screen: AnyScreen;
  /** The screen's pattern with the id of a record that is there. */
  readonly path: string;
}

interface Listed {
  readonly _id: string;
}

/** Where the record of a screen that edits no section is listed, unless it is one of the `made`. */
const listPaths: Readonly<Record<string, string>> = {
  '/order-now/:id': '/api/pricings',
  '/admin-user/:id': '/api/users',
  '/stripe-key/:id': '/api/stripe-keys',
};

const listPathOf = ({ pattern, sections = [] }: AnyScreen): string | undefined => {
  const [section] = sections;
  return section === undefined ? listPaths[pattern] : addressOf(sectionCalls(section).list ?? 'GET /');
};

/** The record that was there first: a later one may be another test's, which takes it away again. */
const oldestOf = ({ json }: Answer): Listed | undefined =>
  (json as readonly Listed[]).toSorted((one, other) => (one._id < other._id ? -1 : 1))[0];

/** The ids for the screens of records that nobody else may have, by the screen's pattern. */
async function made(administrator: Visitor, orderId: string): Promise<Readonly<Record<string, string>>> {
  const release = await administrator.post('/api/releases', { title: 'Autumn offer' });
  const message = await new Visitor(administrator.url).post('/api/add-message', {
    ...{ name: 'Ann Lee', email: 'ann@lender.example', number: '+1 312 555 0100' },
    ...{ subject: 'Two offices', message: 'Which package suits two offices?' },
  });
  const { customerEmail } = (await administrator.get(`/api/order/${orderId}`)).json as {
    readonly customerEmail: string;
  };
  const customers = await administrator.get(`/api/customers?q=${encodeURIComponent(customerEmail)}`);
  return {
    '/release/:id': (release.json as Listed)._id,
    '/view/:id': (message.json as Listed)._id,
    '/customer/:id': oldestOf(customers)?._id ?? '',
  };
}

/**
 * Every screen, with an address that shows something; a release is begun and a message is sent for the ones that show
 * them.
 * @param administrator anyone who may list everything and begin a release
 * @param orderId the order that the customer's and the administrator's order screens show
 * @throws when a screen's record is not there
 */
export async function addressScreens(
  administrator: Visitor,
  orderId: string,
): Promise<readonly AddressedScreen[]> {
  const ids = await made(administrator, orderId);
  const addressed: AddressedScreen[] = [];
  for (const screen of allScreens) {
    const { pattern } = screen;
    if (!pattern.includes(':id')) {
      addressed.push({ screen, path: pattern });
      continue;
    }
    const listPath = listPathOf(screen);
    const id =
      ids[pattern] ?? (listPath === undefined ? orderId : oldestOf(await administrator.get(listPath))?._id);
    if (!id) throw new Error(`${pattern}: there is no record for it.`);
    addressed.push({ screen, path: fillPath(pattern, id) });
  }
  return addressed;
}
