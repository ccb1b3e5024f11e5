/** The cookies of one browser. Cookies that responses set are sent with the next requests. */
export class CookieJar extends Map<string, string> {
  /** The Cookie header of a request; none if there are no cookies. */
  get header(): { readonly Cookie?: string } {
    return this.size > 0
      ? { Cookie: Array.from(this, ([name, value]) => `${name}=${value}`).join('; ') }
      : {};
  }

  /** Stores the cookies that a response sets, and removes those that it deletes. */
  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0/i.test(line)) this.delete(name);
      else this.set(name, value);
    }
  }
}
