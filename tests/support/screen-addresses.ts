/** An address for every screen of the route table, so that no test or picture of all screens misses one. */
import { sectionCalls } from '#contract/section-calls.ts';
import { addressOf } from './calls.ts';
import { allScreens, type AnyScreen } from '#contract/all-screens.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { sendMessage } from './messages.ts';
import { Visitor, type Answer } from './visitor.ts';

export interface AddressedScreen {
  readonly screen: AnyScreen;
  /** The screen's pattern with the id of an existing record. */
  readonly path: string;
}

interface Listed {
  readonly _id: string;
}

/** Where the records of a screen are listed, if the screen edits no section and its record is not in `made`. */
const listPaths: Readonly<Record<string, string>> = {
  '/order-now/:id': '/api/pricings',
  '/admin-user/:id': '/api/users',
  '/stripe-key/:id': '/api/stripe-keys',
};

const listPathOf = ({ pattern, sections = [] }: AnyScreen): string | undefined => {
  const [section] = sections;
  return section === undefined ? listPaths[pattern] : addressOf(sectionCalls(section).list ?? 'GET /');
};

/** The oldest record. A later record may belong to another test, which deletes it. */
const oldestOf = ({ json }: Answer): Listed | undefined =>
  (json as readonly Listed[]).toSorted((one, other) => (one._id < other._id ? -1 : 1))[0];

/** The ids for screens of records that no other test owns, by the screen's pattern. */
async function made(administrator: Visitor, orderId: string): Promise<Readonly<Record<string, string>>> {
  const release = await administrator.post('/api/releases', { title: 'Autumn offer' });
  const message = await sendMessage(new Visitor(administrator.url), {
    name: 'Ann Lee',
    email: 'ann@lender.example',
    subject: 'Two offices',
    message: 'Which package suits two offices?',
  });
  const { customerEmail } = (await administrator.get(`/api/order/${orderId}`)).json as {
    readonly customerEmail: string;
  };
  const customers = await administrator.get(`/api/customers?q=${encodeURIComponent(customerEmail)}`);
  return {
    '/release/:id': (release.json as Listed)._id,
    '/view/:id': message._id,
    '/customer/:id': oldestOf(customers)?._id ?? '',
  };
}

/**
 * Every screen, with a URL that shows something. Creates a release and sends a message for the screens that show them.
 * @param administrator anyone who may list everything and create a release
 * @param orderId the order for the customer's and the administrator's order screens
 * @throws if a screen has no record
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
