/**
 * Passwords are kept as scrypt. One hash costs about 100 ms of the Worker's only thread, so that hashes stand in line,
 * one at a time with other work in between, and the line is short: a caller who finds it full is asked to come back.
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
/** How long the thread is left to other work before each hash: enough for a call with its questions to the database. */
const restMs = 50;
const pollMs = 10;
/** A caller who has not looked at the line for so long has left it. */
const goneAfterMs = 10_000;

/** Who stands in line, in order: a ticket, and when its holder last looked, in ms. */
const line = new Map<number, number>();
let lastTicket = 0;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function isFirst(ticket: number): boolean {
  const now = Date.now();
  line.set(ticket, now);
  for (const [other, lookedAt] of line) {
    if (other === ticket) return true;
    if (now - lookedAt < goneAfterMs) return false;
    line.delete(other);
  }
  return true;
}

/**
 * Runs a hash when its turn has come.
 * @throws ApiError 503 when ten wait already
 */
async function inTurn<T>(hash: () => T): Promise<T> {
  if (line.size > maxWaiting)
    throw unavailable('Many people are signing in right now. Please try again in a moment.');
  const ticket = (lastTicket += 1);
  line.set(ticket, Date.now());
  try {
    while (!isFirst(ticket)) await wait(pollMs);
    await wait(restMs);
    return hash();
  } finally {
    line.delete(ticket);
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
 * @returns the hash with its parameters, `$scrypt$ln=14,r=8,p=5$<salt>$<key>`
 * @throws ApiError 503 when too many wait already
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = newSalt();
  return format(salt, await inTurn(() => derive(password, salt, cost)));
}

/**
 * Whether a password is the one that was hashed. Without a hash the answer is no, after the same work, so that the
 * time does not tell whether there is an account.
 * @throws ApiError 503 when too many wait already
 */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const { logN, r, p, salt = '', key = '' } = shape.exec(hash ?? nobody)?.groups ?? {};
  const parameters = { logN: Number(logN), r: Number(r), p: Number(p) };
  const found = await inTurn(() => derive(password, salt, parameters));
  return secretsEqual(found, key) && hash !== null && hash !== undefined;
}
