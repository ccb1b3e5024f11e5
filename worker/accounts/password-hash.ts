/**
 * Passwords are stored as scrypt hashes. One hash blocks the Worker's only thread for about 100 ms, so hashes wait in
 * one queue, in order of arrival. They run one at a time, with other work in between. The queue has separate places for
 * strangers and for callers known for an account (by a device, a session or an emailed link), so strangers cannot crowd
 * out known callers. Known callers of one account have at most two places, so one account cannot take them all. If
 * there is no place, the caller gets an error and must try again. Each caller polls with its own timer and never awaits
 * another request's promise, because a request that is cut off would block those behind it.
 */
import { randomBytes, scryptSync } from 'node:crypto';
import { unavailable } from '../http/errors.ts';
import { secretsEqual } from '../http/secrets.ts';
import { createSemaphore } from '../http/semaphore.ts';

/**
 * An OWASP setting: 16 MiB (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 */
const cost = { logN: 14, r: 8, p: 5 } as const;
const keyBytes = 32;
/** How many strangers may wait, and how many known callers. */
const maxWaiting = 10;
/** How many places the known callers of one account may have. Any others count as strangers. */
const maxOfAccount = 2;
/** The pause before each hash, in ms, during which other requests run: enough for a call with its database queries. */
const restMs = 50;
const pollMs = 10;

/** The waiting callers, in order of arrival: the account for which each is known, undefined for a stranger. */
const queue = createSemaphore<string | undefined>();

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const isKnown = (account: string | undefined): boolean => account !== undefined;

/**
 * The account under which a caller waits, if that account has a place left. Otherwise the caller counts as a stranger.
 * @throws ApiError 503 when the queue is full
 */
function findPlace(account: string | undefined): string | undefined {
  const holders = queue.holders();
  const hasRoom = holders.filter(([, other]) => other === account).length < maxOfAccount;
  const placeOf = hasRoom ? account : undefined;
  const sameKind = holders.filter(([, other]) => isKnown(other) === isKnown(placeOf));
  if (sameKind.length > maxWaiting)
    throw unavailable('Many people are logging in right now. Please try again in a moment.');
  return placeOf;
}

/**
 * Refuses a caller for whom the queue has no place.
 * @param known as in `hashPassword`
 * @throws ApiError 503 when the queue is full
 */
export const assertPlace = (known: string | undefined): void => void findPlace(known);

/**
 * Runs a hash when it reaches the front of the queue.
 * @param account for which the caller is known
 * @throws ApiError 503
 */
const inTurn = async <T>(account: string | undefined, hash: () => T): Promise<T> =>
  queue.holdWhile(findPlace(account), async (ticket) => {
    while (queue.holders()[0]?.[0] !== ticket) await wait(pollMs);
    await wait(restMs);
    return hash();
  });

interface Parameters {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** The key of a password, as base64url. The salt's bytes are those of its text. */
const derive = (password: string, salt: string, { logN, r, p }: Parameters): string =>
  scryptSync(password.normalize('NFKC'), salt, keyBytes, { N: 2 ** logN, r, p }).toString('base64url');

const format = (salt: string, key: string): string =>
  `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${salt}$${key}`;

const shape = /^\$scrypt\$ln=(?<logN>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[\w-]+)\$(?<key>[\w-]+)$/;

/** A hash that no password matches. Checking against it takes as long as checking against a real one. */
const unmatchableHash = format('AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43));

/**
 * Hashes a password with a new salt.
 * @param known the account for which the caller is known, which gives them a place reserved for known callers
 * @returns the hash with its parameters, `$scrypt$ln=14,r=8,p=5$<salt>$<key>`
 * @throws ApiError 503 when the queue is full
 */
export async function hashPassword(password: string, known?: string): Promise<string> {
  const salt = randomBytes(16).toString('base64url');
  return format(salt, await inTurn(known, () => derive(password, salt, cost)));
}

/**
 * Whether a password matches a hash. Without a hash the result is false after the same work, so the time does not
 * reveal whether there is an account.
 * @param known the account for which the caller is known, which gives them a place reserved for known callers
 * @throws ApiError 503 when the queue is full
 */
export async function verifyPassword(
  password: string,
  hash: string | null | undefined,
  known?: string,
): Promise<boolean> {
  const { logN, r, p, salt = '', key = '' } = shape.exec(hash ?? unmatchableHash)?.groups ?? {};
  const parameters = { logN: Number(logN), r: Number(r), p: Number(p) };
  const found = await inTurn(known, () => derive(password, salt, parameters));
  return secretsEqual(found, key) && hash !== null && hash !== undefined;
}
