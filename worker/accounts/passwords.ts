/**
 * Passwords are kept as scrypt. One hash costs about 100 ms of the Worker's only thread, so that hashes stand in line,
 * one at a time with other work in between. There are two lines, of strangers and of who is known for an account (a device,
 * a session, a mailed link), and their turns alternate: however many strangers come, who is known waits for one of them at
 * most before each turn of their own line. Both are short, and an account has two places in that of the known, so that no
 * account fills it: a caller who finds the line full is asked to come back.
 * Waiting is by one's own timer, never by another request's promise: a request that is cut off in the line
 * cannot hold up those behind it.
 */
import { randomBytes, scryptSync } from 'node:crypto';
import { unavailable } from '../http/errors.ts';
import { secretsEqual } from '../http/secrets.ts';

/** An OWASP setting: 16 MiB. (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html) */
const cost = { logN: 14, r: 8, p: 5 } as const;
const keyBytes = 32;
const maxWaiting = 10;
/** Places of one account in the line of the known; more of it stand with the strangers. */
const maxOfAccount = 2;
/** How long the thread is left to other work before each hash: enough for a call with its questions to the database. */
const restMs = 50;
const pollMs = 10;
/** A caller who has not looked at the line for so long has left it. */
const goneAfterMs = 10_000;

interface Waiting {
  /** The account for which its holder is known; undefined for a stranger. */
  readonly known: string | undefined;
  /** When its holder last looked, in ms. */
  lookedAt: number;
}

/** Who stands in line, by ticket, in the order in which they came. */
const waiting = new Map<number, Waiting>();
let lastTicket = 0;
/** Whose turn it is, and whether they are one of the known: the turn after goes to the other line, where anybody waits. */
let turn = { ticket: 0, isKnown: false };

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whether somebody still stands in line: who has not looked for long has left. */
function isThere(ticket: number, now: number): boolean {
  const holder = waiting.get(ticket);
  if (holder && now - holder.lookedAt >= goneAfterMs) waiting.delete(ticket);
  return waiting.has(ticket);
}

/** Whether it is a ticket's turn; gives the turn on when the one who had it is done or gone. */
function isTurnOf(ticket: number, self: Waiting): boolean {
  const now = Date.now();
  self.lookedAt = now;
  if (!isThere(turn.ticket, now)) {
    const there = [...waiting].filter(([other]) => isThere(other, now));
    const wasKnown = turn.isKnown;
    const [next] = there.find(([, { known }]) => (known !== undefined) !== wasKnown) ?? there[0] ?? [ticket];
    turn = { ticket: next, isKnown: waiting.get(next)?.known !== undefined };
  }
  return turn.ticket === ticket;
}

/**
 * Where a caller stands: with the known, as long as their account has room there.
 * @throws ApiError 503 when ten wait in that line already
 */
function joinLine(account: string | undefined): readonly [ticket: number, self: Waiting] {
  const places = [...waiting.values()];
  const hasRoom = places.filter(({ known }) => known === account).length < maxOfAccount;
  const known = hasRoom ? account : undefined;
  const before = places.filter((other) => (other.known === undefined) === (known === undefined)).length;
  if (before > maxWaiting)
    throw unavailable('Many people are logging in right now. Please try again in a moment.');
  const self = { known, lookedAt: Date.now() };
  waiting.set((lastTicket += 1), self);
  return [lastTicket, self];
}

/**
 * Runs a hash when its turn has come.
 * @param account for which the caller is known
 * @throws ApiError 503
 */
async function inTurn<T>(account: string | undefined, hash: () => T): Promise<T> {
  const [ticket, self] = joinLine(account);
  try {
    while (!isTurnOf(ticket, self)) await wait(pollMs);
    await wait(restMs);
    return hash();
  } finally {
    waiting.delete(ticket);
  }
}

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

/** Nobody's password: checking against it takes as long as against a real one. */
const nobody = format('AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43));

/**
 * Hashes a password with a salt of its own.
 * @param known what names the account for which the caller is known, by whose line they come sooner
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
 * @param known what names the account for which the caller is known, by whose line they come sooner
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
