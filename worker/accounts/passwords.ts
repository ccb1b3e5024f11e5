/**
 * Passwords are stored as scrypt hashes. One hash takes about 100 ms of the Worker's only thread, so hashes wait in a
 * queue: one at a time, with other work in between. There are two queues, for strangers and for callers known for an
 * account (by a device, a session or a mailed link), and they alternate, so that a known caller waits for at most one
 * stranger before each turn of their own queue. Both queues are short, and an account has at most two places in that of
 * the known, so that no account can fill it; a caller who finds the queue full is asked to come back. Each caller polls
 * with a timer of its own and never awaits another request's promise, because a request that is cut off could then
 * block those behind it.
 */
import { randomBytes, scryptSync } from 'node:crypto';
import { unavailable } from '../http/errors.ts';
import { createSemaphore } from '../http/semaphore.ts';
import { secretsEqual } from '../http/secrets.ts';

/** An OWASP setting: 16 MiB. (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html) */
const cost = { logN: 14, r: 8, p: 5 } as const;
const keyBytes = 32;
const maxWaiting = 10;
/** The most places of one account in the queue of the known; further requests join the strangers. */
const maxOfAccount = 2;
/** How long other requests may run before each hash, in ms: enough for a call with its database queries. */
const restMs = 50;
const pollMs = 10;

/** The callers who wait: the account for which each is known, undefined for a stranger. */
const waiting = createSemaphore<string | undefined>();
/** Whose turn it is, and from which queue; the next turn goes to the other queue unless that is empty. */
let turn = { ticket: 0, isKnown: false };

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whether it is a ticket's turn. Passes the turn on when its holder is done or gone. */
function isTurnOf(ticket: number): boolean {
  const there = waiting.holders();
  if (!there.some(([other]) => other === turn.ticket)) {
    const [next, known] = there.find(([, known]) => (known !== undefined) !== turn.isKnown) ?? there[0] ?? [];
    if (next !== undefined) turn = { ticket: next, isKnown: known !== undefined };
  }
  return turn.ticket === ticket;
}

/**
 * The queue for a caller: that of the known while their account has a place left there, else that of the strangers.
 * @returns the account for which they wait as known
 * @throws ApiError 503 when ten wait in that queue already
 */
function findLine(account: string | undefined): string | undefined {
  const there = waiting.holders();
  const hasRoom = there.filter(([, known]) => known === account).length < maxOfAccount;
  const known = hasRoom ? account : undefined;
  const before = there.filter(([, other]) => (other === undefined) === (known === undefined)).length;
  if (before > maxWaiting)
    throw unavailable('Many people are logging in right now. Please try again in a moment.');
  return known;
}

/**
 * Runs a hash when its turn has come.
 * @param account for which the caller is known
 * @throws ApiError 503
 */
const inTurn = async <T>(account: string | undefined, hash: () => T): Promise<T> =>
  waiting.holdWhile(findLine(account), async (ticket) => {
    while (!isTurnOf(ticket)) await wait(pollMs);
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
 * @param known names the account for which the caller is known, which puts them in the faster queue
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
 * @param known names the account for which the caller is known, which puts them in the faster queue
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
