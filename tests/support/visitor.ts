/** A person who uses the site through its calls. Stores cookies and sends an origin. */
import { randomUUID } from 'node:crypto';
import { addAccount, addSession, customerPassword } from './accounts.ts';
import { checkAnswer } from './api-description.ts';
import { CookieJar } from './cookie-jar.ts';
import { administrator } from './system.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
}

export interface CallInit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirect?: RequestRedirect;
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

/**
 * Calls the Worker like `fetch`, but on a new connection. workerd silently closes a connection that was idle for 5 s,
 * and a request on a connection that is just closing would fail.
 */
export function fetchAlone(address: URL | Request | string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers ?? (address instanceof Request ? address.headers : {}));
  headers.set('Connection', 'close');
  return fetch(address, { ...init, headers });
}

export class Visitor {
  readonly url: string;
  readonly cookies = new CookieJar();
  readonly #fetch: typeof fetchAlone;

  /** @param fetch reaches a copy whose URL no `fetch` can reach */
  constructor(url: string, fetch = fetchAlone) {
    this.url = url;
    this.#fetch = fetch;
  }

  /** Sends a request like a page of the site. An object body is sent as JSON, a string or bytes unchanged. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, redirect = 'manual' }: CallInit = {},
  ): Promise<Answer> {
    const response = await this.#fetch(new URL(path, this.url), {
      method,
      redirect,
      headers: {
        Origin: this.url,
        Accept: 'application/json',
        ...(body !== undefined && !isRaw(body) && { 'Content-Type': 'application/json' }),
        ...this.cookies.header,
        ...headers,
      },
      ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    this.cookies.take(response.headers);
    const text = await response.text();
    checkAnswer({
      method,
      path: new URL(path, this.url).pathname,
      status: response.status,
      contentType: response.headers.get('Content-Type'),
      text,
    });
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  }

  get(path: string, init?: CallInit): Promise<Answer> {
    return this.send('GET', path, undefined, init);
  }

  post(path: string, body: unknown = {}, init?: CallInit): Promise<Answer> {
    return this.send('POST', path, body, init);
  }

  /** Submits a plain form like a browser without JavaScript. */
  postForm(path: string, fields: Readonly<Record<string, string>> = {}, headers = {}): Promise<Answer> {
    return this.send('POST', path, new URLSearchParams(fields).toString(), {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  put(path: string, body: unknown, init?: CallInit): Promise<Answer> {
    return this.send('PUT', path, body, init);
  }

  delete(path: string, body?: unknown, init?: CallInit): Promise<Answer> {
    return this.send('DELETE', path, body, init);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An email address that no other test uses. */
export const newEmail = (name = 'customer'): string =>
  `${name}-${randomUUID().slice(0, 8)}@customers.example`;

/** A person with an account. */
export type Member = Visitor & { readonly email: string; readonly password: string };

/** Signs up through the call, like the form does. Meant for tests of accounts. */
export async function signUp(url: string, email = newEmail(), password = customerPassword): Promise<Member> {
  const visitor = new Visitor(url);
  const answer = await visitor.post('/api/auth/register', { email, password });
  if (answer.status !== 201) throw new Error(`Registering answered ${String(answer.status)}: ${answer.text}`);
  return Object.assign(visitor, { email, password });
}

/**
 * A person whose browser has a session.
 * @param hint the role that the navigation bar assumes
 */
async function withSession(url: string, email: string, hint: 'customer' | 'admin'): Promise<Visitor> {
  const visitor = new Visitor(url);
  visitor.cookies.set('__Host-session', await addSession(url, email));
  visitor.cookies.set('signed-in', hint);
  return visitor;
}

/**
 * A signed-in customer with a new account.
 * @param isVerified whether the email is verified
 */
export async function registerCustomer(
  url: string,
  email = newEmail(),
  password = customerPassword,
  isVerified = false,
): Promise<Member> {
  await addAccount(url, { email, password, isVerified });
  return Object.assign(await withSession(url, email, 'customer'), { email, password });
}

/** The seeded administrator, signed in. */
export const signInAdministrator = (url: string): Promise<Visitor> =>
  withSession(url, administrator.email, 'admin');
