/**
 * Passwords are stored as scrypt hashes. One hash takes about 100 ms of the Worker's only thread, so hashes wait in one
 * queue, in order of arrival: one at a time, with other work in between. Strangers have places of their own in it, and so
 * have callers known for an account (by a device, a session or a mailed link), so that strangers cannot fill the queue for
 * those who are known. An account has at most two places of the known, so that no account can fill them; a caller who
 * finds no place is asked to come back. Each caller polls with a timer of its own and never awaits another request's
 * promise, because a request that is cut off could then block those behind it.
 */
import { randomBytes, scryptSync } from 'node:crypto';
import { unavailable } from '../http/errors.ts';
import { secretsEqual } from '../http/secrets.ts';
import { createSemaphore } from '../http/semaphore.ts';

/** An OWASP setting: 16 MiB. (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html) */
const cost = { logN: 14, r: 8, p: 5 } as const;
const keyBytes = 32;
/** How many strangers may wait, and how many who are known. */
const maxWaiting = 10;
/** The most places of one account among the known; further requests count as strangers. */
const maxOfAccount = 2;
/** How long other requests may run before each hash, in ms: enough for a call with its database queries. */
const restMs = 50;
const pollMs = 10;

/** The callers who wait, in order of arrival: the account for which each is known, undefined for a stranger. */
const queue = createSemaphore<string | undefined>();

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const isKnown = (account: string | undefined): boolean => account !== undefined;

/**
 * The account under which a caller waits, while it has a place left; else the caller counts as a stranger.
 * @throws ApiError 503 when as many wait already as may
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
 * Runs a hash when its turn has come.
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

/** The key of a password, as base64url; the salt's bytes are its text. */
const derive = (password: string, salt: string, { logN, r, p }: Parameters): string =>
  scryptSync(password.normalize('NFKC'), salt, keyBytes, { N: 2 ** logN, r, p }).toString('base64url');

const newSalt = () => randomBytes(16).toString('base64url');

const format = (salt: string, key: string): string =>
  `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${salt}$${key}`;

const shape = /^\$scrypt\$ln=(?<logN>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[\w-]+)\$(?<key>[\w-]+)$/;

/** A hash that no password has. Checking against it takes as long as against a real one. */
const nobody = format('AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43));

/**
 * Hashes a password with a salt of its own.
 * @param known names the account for which the caller is known, which gives them one of the places kept for the known
 * @returns the hash with its parameters, `$scrypt$ln=14,r=8,p=5$<salt>$<key>`
 * @throws ApiError 503 when too many wait already
 */
export async function hashPassword(password: string, known?: string): Promise<string> {
  const salt = newSalt();
  return format(salt, await inTurn(known, () => derive(password, salt, cost)));
}

/**
 * Whether a password is the one that was hashed. Without a hash the answer is no, after the same work, so that the
 * time does not tell whether there is an account.
 * @param known names the account for which the caller is known, which gives them one of the places kept for the known
 * @throws ApiError 503 when too many wait already
 */
export async function verifyPassword(
  password: string,
  hash: string | null | undefined,
  known?: string,
): Promise<boolean> {
  const { logN, r, p, salt = '', key = '' } = shape.exec(hash ?? nobody)?.groups ?? {};
  const parameters = { logN: Number(logN), r: Number(r), p: Number(p) };
  const found = await inTurn(known, () => derive(password, salt, parameters));
  return secretsEqual(found, key) && hash !== null && hash !== undefined;
}
